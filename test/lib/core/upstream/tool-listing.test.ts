import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { toolsOverview } from "#lib/core/verbs/tools/overview.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";
import { callTool, stdioServer, testUpstreams, until } from "#test/kit/upstream.ts";

const ROWS: [fault: string, says: RegExp][] = [
  ["error", /^Tool listing failed: it answered tools\/list with error -32603: the index is broken$/],
  ["garbage", /^Tool listing failed: its response to tools\/list contains no list of tools$/],
];
for (const [fault, says] of ROWS)
  test(`a server whose tools/list fails (${fault}) is unhealthy everywhere, and says why`, () =>
    withApp({ servers: [stdioServer("lf", "--list-fault", fault)] }, async (app) => {
      await failedListing(app, "lf");

      const { servers } = await call(app, "GET /api/v1/servers", {});
      const tools = await call(app, "GET /api/v1/tools", {});
      const { findings } = await call(app, "GET /api/v1/doctor", {});
      const preflight = await ask(app, "POST /api/v1/preflight", { body: { tools: [{ id: "lf:echo" }] } });
      const refreshed = await ask(app, "POST /api/v1/servers/lf/refresh");

      assert.deepEqual([refreshed.status, refreshed.body.code], [502, "upstream_failed"]);
      const [record] = servers;
      assert.deepEqual(
        [record!.connected, record!.health.level, record!.health.action, record!.health.admin_state],
        [true, "unhealthy", "view_logs", "enabled"],
      );
      assert.match(record!.last_error!, says);
      assert.match(record!.health.summary, /^Tool listing failed/);
      assert.match(record!.health.detail!, says);
      assert.deepEqual([tools.partial, tools.failed_servers], [true, ["lf"]]);
      const found = findings.find(({ server }) => server === "lf");
      assert.deepEqual([found?.code, found?.severity], ["server_failing", "error"]);
      assert.equal(found?.remedy?.command, "proxy upstream logs lf");
      const { verdict, tools: results } = preflight.body.data;
      assert.equal(verdict, "degraded_retryable");
      assert.deepEqual(
        [results[0].reason, results[0].retryable, results[0].action],
        ["server_unhealthy", true, "view_logs"],
      );
      assert.match(results[0].detail, /could not list its tools/);
    }));

test("a server that writes a byte order mark in front of its first line gets ready", () =>
  withApp({ servers: [stdioServer("bom", "--bom")] }, async (app) => {
    await until("it is ready", () => app.upstreams.get("bom")?.status().state === "Ready");
  }));

test("a server that recovers is listed again by itself, after waits that grow, and is healthy then", async () => {
  const clock = handClock();
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const file = join(dir, "broken");
  writeFileSync(file, "");
  const all = testUpstreams({
    servers: [stdioServer("lf", "--list-fault", "error", "--list-fault-file", file)],
    clock,
  });
  const listings = async () => Number(JSON.parse(text(await callTool(all.upstream("lf"), "stats"))).lists);
  const reasons: string[] = [];
  all.events.subscribe(({ kind, data }) => void (kind === "servers.changed" && reasons.push(data.reason)));
  try {
    await until("the first failure", () => all.upstream("lf").status().listing?.error);
    assert.deepEqual(all.upstream("lf").status().listing, {
      listed: false,
      error: "it answered tools/list with error -32603: the index is broken",
    });
    assert.ok(all.serverLines.some((line) => line.startsWith("lf error Tool listing failed: ")));

    const due = [5000, 10_000, 20_000];
    for (const [n, ms] of due.entries()) {
      await clock.advance(ms - 1);
      assert.equal(await listings(), n + 1, `too early: ${ms}`);
      await clock.advance(1);
      await until(`listing ${n + 2}`, async () => (await listings()) === n + 2);
      await until(
        "its failure",
        () => all.logLines.filter((line) => /discovery .*" failed:/.test(line)).length === n + 2,
      );
    }
    rmSync(file);
    await clock.advance(40_000);
    await until("the good listing", () => all.upstream("lf").status().listing?.listed);

    const { lastError, listing } = all.upstream("lf").status();
    assert.deepEqual([lastError, listing], [undefined, { listed: true }]);
    assert.deepEqual(reasons.slice(-2), ["tools_listing_failed", "tools_listed"]);
  } finally {
    await all.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

test("a listing that is never answered ends after 30 s, and the advice names no setting that would not help", async () => {
  const clock = handClock();
  const all = testUpstreams({ servers: [stdioServer("lf", "--list-fault", "silent")], clock });
  try {
    await until("connected", () => all.upstream("lf").status().state === "Ready");
    await until("listing", async () => JSON.parse(text(await callTool(all.upstream("lf"), "stats"))).lists === 1);
    assert.deepEqual(all.upstream("lf").status().listing, { listed: false });

    await clock.advance(30_000);
    await until("the failure", () => all.upstream("lf").status().listing?.error);

    assert.equal(
      all.upstream("lf").status().lastError,
      "Tool listing failed: it did not respond to tools/list within 30 s",
    );
    const told = [...all.logLines, ...all.serverLines].filter((line) => line.includes("tools/list within"));
    assert.ok(told.length >= 2);
    assert.ok(!told.some((line) => line.includes("call_tool_timeout")));
  } finally {
    await all.close();
  }
});

test("tools that were listed stay callable while listing them again fails; the server is degraded then", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const file = join(dir, "broken");
  try {
    await withApp(
      {
        servers: [
          { ...stdioServer("lf", "--list-fault", "error", "--list-fault-file", file), trust_mode: "auto" as const },
        ],
      },
      async (app) => {
        await until("listed", () => app.upstreams.get("lf")?.status().listing?.listed === true);
        writeFileSync(file, "");

        const refused = await ask(app, "POST /api/v1/servers/lf/discover-tools");
        const { servers } = await call(app, "GET /api/v1/servers", {});
        const asked = { tools: [{ id: "lf:echo" }, { id: "lf:unknown" }] };
        const { body } = await ask(app, "POST /api/v1/preflight", { body: asked });

        assert.equal(refused.status, 502, JSON.stringify(refused.body));
        assert.equal(servers[0]!.health.level, "degraded");
        assert.deepEqual(
          body.data.tools.map(({ status, reason }: { status: string; reason?: string }) => [status, reason]),
          [
            ["ready", undefined],
            ["unavailable", "server_unhealthy"],
          ],
        );
        rmSync(file);
        await call(app, "POST /api/v1/servers/{name}/discover-tools", { params: { name: "lf" } });
        assert.equal((await call(app, "GET /api/v1/servers", {})).servers[0]!.health.level, "healthy");
        assert.deepEqual((await toolsOverview(app, INTERNAL_CALLER)).failed_servers, []);
      },
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("right after a change of what a server runs it is connecting, not unhealthy", () =>
  withApp({ servers: [stdioServer("one")] }, async (app) => {
    await until("listed", () => app.catalog.of("one").length > 0);
    const levels: string[] = [];
    const states: string[] = [];
    app.events.subscribe(({ kind }) => {
      if (kind === "servers.changed") states.push(app.upstreams.get("one")!.status().state);
    });

    const record = await call(app, "PATCH /api/v1/servers/{name}", {
      params: { name: "one" },
      body: { env: { OTHER: "1" } },
    });
    const { body } = await ask(app, "POST /api/v1/preflight", { body: { tools: [{ id: "one:nope" }] } });

    levels.push(record.health.level);
    assert.deepEqual([levels, record.health.summary, record.connecting], [["healthy"], "Connecting...", true]);
    assert.notEqual(body.data.tools[0].reason, "server_unhealthy");
    await until("connected again", () => app.upstreams.get("one")!.status().listing?.listed);
    assert.ok(!states.includes("Disconnected"), states.join());
  }));

test("a tool of a server that has not listed its tools yet is not unknown: preflight says so and waits", () =>
  withApp({ servers: [stdioServer("slow", "--list-delay", "1500")] }, async (app) => {
    await until("connected", () => app.upstreams.get("slow")!.status().state === "Ready");

    const early = await ask(app, "POST /api/v1/preflight", { body: { tools: [{ id: "slow:echo" }] } });
    const late = await ask(app, "POST /api/v1/preflight", { body: { tools: [{ id: "slow:echo" }], wait_ms: 10_000 } });

    assert.equal(early.body.data.tools[0].reason, "server_initializing");
    assert.equal(late.body.data.verdict, "ready", JSON.stringify(late.body));
  }));

async function failedListing(app: TestApp, name: string): Promise<void> {
  await until("the failure", () => app.upstreams.get(name)?.status().listing?.error !== undefined);
}

function text(reply: { result: unknown }): string {
  return (reply.result as { content: { text: string }[] }).content[0]!.text;
}
