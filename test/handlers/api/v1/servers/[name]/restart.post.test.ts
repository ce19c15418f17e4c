import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const params = { name: "up" };
const program = (...flags: string[]) => ({
  name: "up",
  command: process.execPath,
  args: ["test/programs/upstream-stdio.mjs", "--name", "up", "--tools", "3", ...flags],
});
const until = async (app: TestApp, fits: () => boolean | Promise<boolean>) => {
  const end = Date.now() + 20_000;
  while (!(await fits())) {
    assert.ok(Date.now() < end, `never: ${JSON.stringify(app.upstreams.get("up")?.status())}`);
    await new Promise((r) => setTimeout(r, 20));
  }
};
const ready = (app: TestApp) => until(app, () => app.upstreams.get("up")?.status().state === "Ready");

verifies(["rest.servers.restart", "rest.state.bulk"], "a restart makes a new connection, and the answer says so", () =>
  withApp({ servers: [program()] }, async (app) => {
    await ready(app);
    const pid = app.upstreams.get("up")?.status().pid;
    assert.ok(pid);

    const after = await call(app, "POST /api/v1/servers/{name}/restart", { params });
    assert.deepEqual([after.connected, after.status, after.action], [true, "ready", "restart"]);
    assert.notEqual(app.upstreams.get("up")?.status().pid, pid);

    const now = app.upstreams.get("up")?.status().pid;
    const left = await call(app, "POST /api/v1/servers/reconnect", {});
    assert.deepEqual(left.servers, [{ server: "up", ok: true, message: "was connected" }]);
    assert.equal(app.upstreams.get("up")?.status().pid, now);
    const all = await call(app, "POST /api/v1/servers/restart_all", {});
    assert.deepEqual([all.successful, all.failed], [1, 0]);
    assert.notEqual(app.upstreams.get("up")?.status().pid, now);
  }),
);

test("a server that does not come up is reported, not failed over", () =>
  withApp({ servers: [{ name: "up", command: "/does/not/exist" }] }, async (app) => {
    const after = await call(app, "POST /api/v1/servers/{name}/restart", { params });
    assert.deepEqual([after.success, after.connected], [true, false]);
    assert.equal(after.health.level, "unhealthy");
    const { status, body } = await ask(app, "POST /api/v1/servers/up/refresh");
    assert.deepEqual([status, body.code], [503, "server_not_ready"]);
    const bulk = await call(app, "POST /api/v1/servers/restart_all", {});
    assert.deepEqual([bulk.failed, Object.keys(bulk.errors)], [1, ["up"]]);
  }));

test("disabling ends the connection, enabling makes one, and its tools are listed", () =>
  withApp({ servers: [program()] }, async (app) => {
    await ready(app);
    await until(app, () => app.catalog.of("up").length > 0);
    await call(app, "POST /api/v1/servers/{name}/disable", { params });
    await until(app, () => app.upstreams.get("up")?.status().state !== "Ready");

    await call(app, "POST /api/v1/servers/{name}/enable", { params });
    await ready(app);
    const refreshed = await call(app, "POST /api/v1/servers/{name}/refresh", { params });
    assert.ok(refreshed.tool_count >= 3);
    assert.match(refreshed.message, new RegExp(`${refreshed.tool_count} tools`));
  }));

verifies(["rest.servers.logs", "rest.redact.logs"], "the log's end is given without credentials", () =>
  withApp({ servers: [program("--stderr", "50")] }, async (app) => {
    await ready(app);
    app.serverLogs.write("up", "error", "login failed: password=hunter2hunter2");
    await until(app, async () =>
      (await app.serverLogs.tail("up", 100)).some((l) => l.message.includes("login failed")),
    );

    const { logs, count, server_name } = await call(app, "GET /api/v1/servers/{name}/logs", {
      params,
      query: { tail: "1000" },
    });
    assert.deepEqual([server_name, count], ["up", logs.length]);
    assert.ok(logs.every((line) => typeof line.timestamp === "string" && line.message !== ""));
    assert.ok(!JSON.stringify(logs).includes("hunter2"));
    assert.equal((await call(app, "GET /api/v1/servers/{name}/logs", { params, query: { tail: "1" } })).count, 1);
    assert.equal((await ask(app, "GET /api/v1/servers/up/logs?tail=many")).status, 400);
  }),
);

test("a line that got into the file unscrubbed is scrubbed on its way out", () =>
  withApp({ connect: false, servers: [{ name: "up", command: "x" }] }, async (app) => {
    const line = { timestamp: "", level: "info", message: "api_key=0123456789abcdef0123" };
    const careless = { ...app, serverLogs: { ...app.serverLogs, tail: async () => [line] } };
    const { body } = await ask(careless, "GET /api/v1/servers/up/logs");
    assert.ok(!JSON.stringify(body).includes("0123456789abcdef0123"));
  }));
