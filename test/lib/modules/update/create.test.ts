import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createEgress } from "#lib/core/base/egress/create-egress.ts";
import { createUpdates, type UpdatesOptions } from "#lib/modules/update/create.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { until } from "#test/kit/until.ts";
import { memoryConfig } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";

const RELEASES = [
  { tag_name: "v1.2.0", html_url: "https://example.com/1.2.0", published_at: "2026-03-01T00:00:00Z" },
  { tag_name: "v1.3.0-rc.1", prerelease: true, html_url: "https://example.com/rc" },
  { tag_name: "v9.0.0", draft: true },
  { tag_name: "nightly" },
  { tag_name: "v1.0.0", html_url: "javascript:alert(1)", published_at: "2026-02-01T00:00:00Z" },
];

function open(t: TestContext, update_check: Record<string, unknown>, over: Partial<UpdatesOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const clock = handClock(Date.parse("2026-04-01T00:00:00Z"));
  const config = memoryConfig({ update_check }, dir);
  const updates = createUpdates({
    config,
    egress: createEgress({ agent: "proxy/1.0.0", allowed: () => [] }),
    clock,
    log: heardLog(),
    boot: { version: "1.0.0", updates: { disabled: false, prerelease: false, unattended: false } },
    installed: async () => "deb",
    automatic: false,
    ...over,
  });
  t.after(() => updates.close());
  return { dir, clock, config, updates };
}

/** A source of releases that counts who asks. */
async function source(t: TestContext, answer: (n: number) => { status?: number; body: string }) {
  let asked = 0;
  const server = createServer((_, res) => {
    const { status = 200, body } = answer(++asked);
    res.writeHead(status).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`, asked: () => asked };
}

verifies(
  ["rest.info.install-channel", "rest.info.update-checked-at", "rest.info.update-command"],
  "a file of releases beside the configuration is enough",
  async (t) => {
    const { dir, updates } = open(t, { source: "releases.json" });
    writeFileSync(join(dir, "releases.json"), JSON.stringify(RELEASES));
    assert.equal(updates.latest(), null);

    const found = await updates.refresh();

    assert.deepEqual(found, {
      available: true,
      latest_version: "1.2.0",
      release_url: "https://example.com/1.2.0",
      is_prerelease: false,
      behind_summary: "1 release behind, 4 weeks old",
      releases_behind: 1,
      weeks_behind: 4,
      checked_at: "2026-04-01T00:00:00.000Z",
      install_channel: "deb",
      update_command: "sudo apt-get update && sudo apt-get install --only-upgrade proxy",
    });
    assert.deepEqual(updates.latest(), found);
  },
);

verifies(["rest.info.update-error"], "a look that fails says why and keeps what an earlier one found", async (t) => {
  const { url } = await source(t, (n) =>
    n === 1
      ? { body: JSON.stringify(RELEASES) }
      : n === 2
        ? { status: 403, body: "" }
        : { body: n === 3 ? "<html>" : "{}" },
  );
  const { updates } = open(t, { source: url });

  assert.equal((await updates.refresh())?.check_error, undefined);
  for (const reason of [/status 403/, /is not JSON/, /is not a list/]) {
    const failed = await updates.refresh();
    assert.match(failed?.check_error ?? "", reason);
    assert.deepEqual([failed?.available, failed?.latest_version, failed?.install_channel], [true, "1.2.0", "deb"]);
  }
});

verifies(
  ["rest.info.period", "rest.limit.update-period"],
  "it looks by itself soon after the start and every four hours, and only where a source is named",
  async (t) => {
    const { url, asked } = await source(t, () => ({ body: JSON.stringify(RELEASES) }));
    const { clock, updates } = open(t, { source: url }, { automatic: true });
    await clock.advance(9999);
    assert.equal(asked(), 0);
    await clock.advance(1);
    await until("the first look", () => updates.latest() !== null);
    await clock.advance(4 * 3_600_000 - 10_001);
    assert.equal(asked(), 1);
    await clock.advance(1);
    await until("the second look", () => asked() === 2);

    const none = open(t, {}, { automatic: true });
    await none.clock.advance(24 * 3_600_000);
    assert.equal(none.updates.latest(), null);
    assert.match((await none.updates.refresh())?.check_error ?? "", /update_check.source/);
  },
);

verifies(
  ["rest.info.refresh", "rest.info.policy-env-wins"],
  "switched off, nothing is asked, by itself or on request",
  async (t) => {
    const { url, asked } = await source(t, () => ({ body: "[]" }));
    for (const [update_check, disabled] of [
      [{ source: url, enabled: false }, false],
      [{ source: url }, true],
    ] as const) {
      const boot = { version: "1.0.0", updates: { disabled, prerelease: false, unattended: false } };
      const { clock, updates } = open(t, update_check, { automatic: true, boot });
      await clock.advance(24 * 3_600_000);
      assert.equal(await updates.refresh(), null);
    }
    assert.equal(asked(), 0);
  },
);

test("two who ask at once share one look, and a source that hangs is let go", async (t) => {
  const { url, asked } = await source(t, () => ({ body: JSON.stringify(RELEASES) }));
  const { updates } = open(t, { source: url });
  await Promise.all([updates.refresh(), updates.refresh(), updates.refresh()]);
  assert.equal(asked(), 1);

  const silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  t.after(() => silent.closeAllConnections());
  t.after(() => silent.close());
  const waiting = open(t, { source: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` });
  const look = waiting.updates.refresh();
  waiting.updates.close();
  assert.ok((await look)?.check_error);
});
