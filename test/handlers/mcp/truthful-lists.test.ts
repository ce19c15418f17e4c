import assert from "node:assert/strict";
import { test } from "node:test";
import { createToolLists } from "#lib/core/mcp/tool-lists.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask } from "#test/kit/era.ts";
import { jsonOf, program, serve, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const PATHS = ["/mcp/call", "/mcp/all", "/mcp/code"];
const servers = [
  program("up"),
  program("mute", "--mute"),
  { name: "dead", command: "/no/such/program" },
  { ...program("new"), quarantined: true },
  { ...program("off"), enabled: false },
];

test("every list says which servers could not contribute, whoever asks in whatever protocol version", async (t) => {
  const served = await serve(t, { servers });
  served.app.upstreams.start();
  await until("the servers' states", () => {
    const state = (name: string) => served.app.upstreams.get(name)?.status();
    return state("up")?.listing?.listed === true && state("dead")?.lastError !== undefined;
  });
  const key = await issue(served.app, { allowed_servers: ["up", "dead"], permissions: ["read"] });
  const all = { mute: "server_initializing", dead: "server_unhealthy", new: "server_quarantined", up: "ready" };
  const own = { dead: "server_unhealthy", up: "ready" };

  for (const [headers, outcomes] of [
    [{}, all],
    [{ "x-api-key": key }, own],
  ] as const) {
    for (const path of PATHS)
      for (const method of LISTS) {
        const older = await served.post({ jsonrpc: "2.0", id: 1, method }, { path, headers });
        const newer = await ask(served, method, {}, { path, headers });
        for (const { body } of [older, newer])
          assert.deepEqual(body.result._meta["proxy/servers"], outcomes, `${method} at ${path}`);
      }
    for (const path of ["/mcp/call", "/mcp/code"]) {
      const { body } = await served.post(toolCall("retrieve_tools", { query: "echo" }), { path, headers });
      assert.deepEqual(body.result._meta["proxy/servers"], outcomes);
      const { notice } = jsonOf(body.result);
      assert.match(notice, /may be missing or fail: .*dead \(not reachable\)/);
      assert.equal(/mute|new/.test(notice), outcomes === all);
    }
  }
});

test("a list waits for no server and no timer", async (t) => {
  // The clock stands still and the server never answers: whatever waited for either would never end.
  const { app, post } = await serve(t, { servers: [program("mute", "--mute")], clock: handClock() });
  app.upstreams.start();

  for (const path of PATHS)
    for (const method of LISTS) {
      const { body } = await post({ jsonrpc: "2.0", id: 1, method }, { path });
      assert.deepEqual(body.result._meta["proxy/servers"], { mute: "server_initializing" });
    }
});

test("only the first page speaks of the servers", () =>
  withApp(
    { connect: false, servers: [{ name: "up", command: "x" }], tools: { "up:a": "approved", "up:b": "approved" } },
    async (app) => {
      const lists = createToolLists(app, [], 10);
      const first = await lists.page({ mode: "direct", caller: admin.caller }, undefined);
      const { nextCursor } = JSON.parse(first.pieces.join(""));

      assert.deepEqual(first.meta, { "proxy/servers": { up: "server_initializing" } });
      assert.equal((await lists.page({ mode: "direct", caller: admin.caller }, nextCursor)).meta, undefined);
    },
  ));
