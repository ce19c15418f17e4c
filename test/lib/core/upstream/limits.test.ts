import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import type { Fault } from "#lib/core/base/fault.ts";
import { createLimiter } from "#lib/core/base/limiter.ts";
import { configDocument } from "#lib/core/config/config-keys.ts";
import { CallSlots } from "#lib/core/upstream/call-slots.ts";
import { globalConcurrency, serverConcurrency, serverTimings } from "#lib/core/upstream/settings.ts";
import { handClock } from "#test/kit/clock.ts";
import { callTool, stdioServer, testUpstreams, until } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";
import "#lib/modules/config.gen.ts";

const config = (document: object) => v.parse(configDocument(), document);
const placesOf = (general: object, own: object) => {
  const c = config({ ...general, mcpServers: [{ name: "a", command: "x", ...own }] });
  return serverConcurrency(c, c.mcpServers[0]!);
};

test("a server's limits are its own, else the defaults for servers, else a thousand calls; 0 is no limit", () => {
  assert.deepEqual(placesOf({}, {}), { slots: 1000, queue: 0, waitMs: 30_000 });
  assert.deepEqual(placesOf({ max_concurrent_requests: 9, queue_size: 9, queue_timeout: "5s" }, {}), {
    slots: 1000,
    queue: 0,
    waitMs: 5000,
  });
  const general = { server_concurrency_defaults: { max_concurrent_requests: 2, queue_size: 3, queue_timeout: "4s" } };
  assert.deepEqual(placesOf(general, {}), { slots: 2, queue: 3, waitMs: 4000 });
  assert.deepEqual(placesOf(general, { max_concurrent_requests: 0, queue_size: 1, queue_timeout: "1s" }), {
    slots: 0,
    queue: 1,
    waitMs: 1000,
  });
  assert.deepEqual(globalConcurrency(config({ max_concurrent_requests: 9, queue_size: 8, queue_timeout: "5s" })), {
    slots: 9,
    queue: 8,
    waitMs: 5000,
  });
});

test("all servers together have a limit that no server can use up alone; 0 is no limit", () => {
  const { slots } = globalConcurrency(config({}));

  assert.ok(slots >= 5 * placesOf({}, {}).slots);
  assert.equal(globalConcurrency(config({ max_concurrent_requests: 0 })).slots, 0);
});

test("times are the server's own, else the general ones", () => {
  const c = config({
    init_timeout: "0",
    mcpServers: [
      { name: "a", command: "x" },
      {
        name: "b",
        command: "x",
        init_timeout: "3s",
        launcher_wait_timeout: "5s",
        health_check_interval: "0",
        tool_discovery_interval: "1m",
      },
    ],
  });

  assert.deepEqual(serverTimings(c, c.mcpServers[0]!), {
    init: 30_000,
    firstInit: 30_000,
    launch: 30_000,
    health: 30_000,
    discovery: 300_000,
  });
  assert.deepEqual(serverTimings(c, c.mcpServers[1]!), {
    init: 3000,
    firstInit: 3000,
    launch: 5000,
    health: 0,
    discovery: 60_000,
  });
});

test("a command that may download its program first has five minutes until it was ready once, unless it has its own limit", () => {
  const c = config({ init_timeout: "20s" });
  const first = (command: string, more: object = {}) => serverTimings(c, { name: "a", command, ...more } as never);

  for (const command of ["npx", "/usr/bin/npx", "C:\\nodejs\\npx.cmd", "uvx", "uv", "docker", "bunx", "pnpm"])
    assert.deepEqual([first(command).firstInit, first(command).init], [300_000, 20_000], command);
  for (const command of ["node", "/opt/npx-like", "python3", ""])
    assert.equal(first(command).firstInit, 20_000, command);
  assert.equal(first("npx", { init_timeout: "5s" }).firstInit, 5000);
  assert.equal(
    serverTimings(config({ init_timeout: "10m" }), { name: "a", command: "npx" } as never).firstInit,
    600_000,
  );
});

/** Slots of one server under a global limit. */
function slots(
  own: { slots: number; queue: number; waitMs: number },
  global: { slots: number; queue: number; waitMs: number },
) {
  const clock = handClock();
  const shared = { limiter: createLimiter({ scope: "global" }, clock, global), concurrency: global };
  const limiter = createLimiter({ scope: "server", server: "a" }, clock, own);
  const taken = new CallSlots(limiter, shared, clock);
  taken.set(own);
  return { clock, limiter, global: shared.limiter, taken };
}
const said = (promise: Promise<void>) =>
  promise.then(
    () => "in",
    (e: Fault) => `${e.code} ${e.facts.scope}`,
  );

test("the two limits share one wait budget: 600 ms for the server's place leave 400 ms for the global one", async () => {
  const clock = handClock();
  const concurrency = { slots: 1, queue: 5, waitMs: 1000 };
  const shared = { limiter: createLimiter({ scope: "global" }, clock, { slots: 2, queue: 5 }), concurrency };
  const make = (server: string) => {
    const made = new CallSlots(createLimiter({ scope: "server", server }, clock), shared, clock);
    made.set({ ...concurrency, slots: server === "a" ? 1 : 0 });
    return made;
  };
  const [a, b] = [make("a"), make("b")];
  a.take(undefined);
  b.take(undefined);
  const overtaker = said(b.take(undefined)!);
  const waiting = said(a.take(undefined)!);

  await clock.advance(600);
  a.release(1);
  assert.equal(await overtaker, "in", "strictly first come, first served");
  await clock.advance(399);
  assert.equal(await Promise.race([waiting, "still waiting"]), "still waiting");
  await clock.advance(1);

  assert.equal(await waiting, "queue_timeout global");
});

test("a refusal by the global limit gives the server's place back", async () => {
  const { clock, limiter, global, taken } = slots(
    { slots: 5, queue: 5, waitMs: 500 },
    { slots: 1, queue: 1, waitMs: 500 },
  );
  taken.take(undefined);
  const waiting = said(taken.take(undefined)!);
  assert.throws(() => taken.take(undefined), { code: "queue_full", message: /the proxy already runs/ });
  assert.equal(limiter.active, 2);

  await clock.advance(500);

  assert.equal(await waiting, "queue_timeout global");
  assert.deepEqual([limiter.active, global.active, global.waiting], [1, 1, 0]);
});

verifies(
  "limit.concurrency",
  "calls beyond the limit wait, calls beyond the queue are refused (spec 001 §8)",
  async () => {
    const all = testUpstreams({
      servers: [{ ...stdioServer("one"), max_concurrent_requests: 2, queue_size: 3, queue_timeout: "5s" }],
    });
    try {
      const one = all.upstream("one");
      await until("ready", () => one.status().state === "Ready");

      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => callTool(one, "slow", { ms: 100 })));

      const refused = outcomes.filter((o) => o.status === "rejected").map((o) => (o.reason as Fault).facts);
      assert.equal(refused.length, 3);
      assert.deepEqual(refused[0], { scope: "server", server: "one", limit: 2, retryAfterMs: 1000 });
    } finally {
      await all.close();
    }
  },
);

test("a wait that is too long is queue_timeout; an abort while waiting is cancelled; neither is sent", async () => {
  const all = testUpstreams({
    servers: [{ ...stdioServer("one"), max_concurrent_requests: 1, queue_size: 9, queue_timeout: "100ms" }],
  });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");
    const caller = new AbortController();
    const running = callTool(one, "slow", { ms: 400 });
    const waiting = callTool(one, "echo");
    const aborted = one.request("tools/call", { name: "echo" }, { timeoutMs: 1000, signal: caller.signal });
    caller.abort();

    await assert.rejects(aborted, { code: "cancelled" });
    await assert.rejects(waiting, { code: "queue_timeout" });
    await running;
    const stats = await callTool(one, "stats");
    assert.match(JSON.stringify(stats.result), /\\"calls\\":2/);
  } finally {
    await all.close();
  }
});

test("limits change while calls run; other requests than calls are not limited", async () => {
  const all = testUpstreams({ servers: [{ ...stdioServer("one"), max_concurrent_requests: 1, queue_size: 5 }] });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");
    const began = performance.now();
    const calls = [1, 2, 3].map(() => callTool(one, "slow", { ms: 3000 }));
    const first = await Promise.race([calls[0], one.request("ping", {}, { timeoutMs: 60_000 }).then(() => "ping")]);
    assert.equal(first, "ping");

    all.edit("one", (s) => (s.max_concurrent_requests = 0));

    await Promise.all(calls);
    assert.ok(performance.now() - began < 8000, "the waiting two ran side by side");
  } finally {
    await all.close();
  }
});

test("who waits for a place of a server that is removed is told so", async () => {
  const all = testUpstreams({ servers: [{ ...stdioServer("one"), max_concurrent_requests: 1, queue_size: 5 }] });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");
    const calls = [callTool(one, "slow", { ms: 5000 }), callTool(one, "echo")].map((p) =>
      p.catch((e: Fault) => e.message),
    );

    all.config.change((draft) => draft.mcpServers.pop());

    assert.deepEqual(await Promise.all(calls), [
      'server "one" failed: it was stopped',
      'server "one" failed: it was removed',
    ]);
  } finally {
    await all.close();
  }
});
