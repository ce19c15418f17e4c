import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { updatePolicy } from "#lib/modules/update/policy.ts";
import { listenTest, TEST_KEY, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { issue, shows } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  [
    "rest.info.get",
    "rest.info.version",
    "rest.info.web-ui-url",
    "rest.info.listen-addr",
    "rest.info.endpoints-http",
    "rest.info.endpoints-socket",
    "rest.info.launched-by",
    "rest.info.pid",
  ],
  "the info names version, addresses and process, and holds no key",
  () =>
    withApp({ connect: false, config: { enable_socket: true }, env: { SERVICE_LAUNCHED_BY: "tray" } }, async (app) => {
      const { url, close } = await listenTest(app);
      const info = await call(app, "GET /api/v1/info", {});

      assert.deepEqual(info, {
        version: "0.0.0-test",
        web_ui_url: `${url}/ui/`,
        listen_addr: app.boot.listenAddr,
        endpoints: { http: app.boot.listenAddr, socket: app.boot.socketPath },
        launched_by: "tray",
        pid: process.pid,
        update_policy: { enabled: true, channel: "stable", nudges_suppressed: false },
        update: null,
      });
      assert.ok(app.boot.socketPath.endsWith("mcpproxy.sock"));
      const bot = await call(app, "GET /api/v1/info", { as: shows(await issue(app)) });
      assert.deepEqual([bot.endpoints.socket, bot.pid], ["", 0], "where it runs is for administrators");
      assert.ok(!JSON.stringify(info).includes(TEST_KEY));
      await close();
    }),
);

verifies(
  ["rest.info.update-omitted", "rest.info.policy-env-wins"],
  "with checks off there is no update, null neither",
  async () => {
    await withApp({ connect: false, config: { update_check: { enabled: false } } }, async (app) => {
      const info = await call(app, "GET /api/v1/info", { query: { refresh: "true" } });
      assert.deepEqual([info.update_policy.enabled, "update" in info], [false, false]);
    });
    await withApp({ connect: false, env: { SERVICE_DISABLE_AUTO_UPDATE: "1" } }, async (app) => {
      const info = await call(app, "GET /api/v1/info", {});
      assert.deepEqual([info.update_policy.enabled, "update" in info], [false, false]);
    });
  },
);

verifies(
  ["rest.info.update-policy", "rest.info.policy-channel", "rest.info.policy-nudges"],
  "a released build stays on its channel; only a build never released follows configuration and environment",
  () => {
    const none = { disabled: false, prerelease: false, unattended: false };
    const channel = (version: string, config: "stable" | "rc", prerelease = false) =>
      updatePolicy({ version, updates: { ...none, prerelease } }, { enabled: true, channel: config }).channel;

    assert.equal(channel("1.2.3", "rc", true), "stable");
    assert.equal(channel("1.2.3-rc.1", "stable"), "rc");
    assert.equal(channel("0.0.0-dev", "stable"), "stable");
    assert.equal(channel("0.0.0-dev", "rc"), "rc");
    assert.equal(channel("0.0.0-dev", "stable", true), "rc");
    const policy = updatePolicy(
      { version: "1.0.0", updates: { ...none, unattended: true } },
      { enabled: true, channel: "rc" },
    );
    assert.deepEqual(policy, { enabled: true, channel: "stable", nudges_suppressed: true });
  },
);

verifies(
  ["rest.info.refresh", "rest.info.update-available", "rest.info.install-channel"],
  "refresh=true looks now, for an administrator",
  () =>
    withApp({ connect: false, config: { update_check: { source: "releases.json" } } }, async (app) => {
      writeFileSync(join(app.dir, "releases.json"), '[{ "tag_name": "v1.0.0" }]');
      const { token } = await call(app, "POST /api/v1/tokens", { body: { name: "bot" } });
      const byAgent = await call(app, "GET /api/v1/info", { query: { refresh: "true" }, as: { "x-api-key": token } });
      assert.equal(byAgent.update, null);

      const { update } = await call(app, "GET /api/v1/info", { query: { refresh: "true" } });

      assert.deepEqual([update?.available, update?.latest_version], [true, "1.0.0"]);
      assert.equal(update?.install_channel, "unknown");
      assert.deepEqual((await call(app, "GET /api/v1/info", {})).update, update);
      assert.match(
        (await ask(app, "GET /api/v1/info?refresh=yes")).body.error,
        /^refresh: must be one of true, false$/,
      );
    }),
);

test("a listener on every interface is opened by loopback", async () => {
  const { webUrl } = await import("#lib/core/api/web-url.ts");
  assert.equal(webUrl("0.0.0.0:8080"), "http://127.0.0.1:8080");
  assert.equal(webUrl("[::]:8080"), "http://127.0.0.1:8080");
  assert.equal(webUrl("[::1]:8080"), "http://[::1]:8080");
});
