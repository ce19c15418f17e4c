import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "#test/kit/clock.ts";
import { stdioServer, testUpstreams, until } from "#test/kit/upstream.ts";
import "#lib/modules/config.gen.ts";

test("what a user's own connection lists reaches neither the shared catalog nor the event stream", async () => {
  const server = { ...stdioServer("crm"), auth_broker: { mode: "oauth_connect" as const } };
  const { upstreams, accepts, events, close } = testUpstreams({ servers: [server] });
  await until("the shared listing", () => accepts() === 1);
  const published: string[] = [];
  events.subscribe(({ kind }) => void published.push(kind));

  const personal = upstreams.forUser("crm", "user-1")!;
  await until("the user's own connection", () => personal.status().state === "Ready");
  await personal.discover("the test asks");

  assert.equal(accepts(), 1);
  assert.deepEqual(published, []);
  await close();
});

const MINUTE = 60_000;
const quiet = { health_check_interval: "0", tool_discovery_interval: "0" };
const watcher = { updated: () => {}, ended: () => {} };

test("a user's connection ends after ten minutes without use; a running call and a subscription are use", async () => {
  const clock = handClock();
  const server = { ...stdioServer("crm"), auth_broker: { mode: "oauth_connect" as const } };
  const { upstreams, close } = testUpstreams({ servers: [server], config: quiet, clock });
  const [idle, calling, subscribed] = ["idle", "calling", "subscribed"].map((user) => upstreams.forUser("crm", user)!);
  await subscribed!.watch("test://one", watcher);
  const isReady = (one: typeof idle) => one!.status().state === "Ready";
  await until("the connections", () => [idle, calling, subscribed].every(isReady));
  const stop = new AbortController();
  const slow = { name: "slow", arguments: { ms: MINUTE } };
  const call = calling!.request("tools/call", slow, { timeoutMs: 60 * MINUTE, signal: stop.signal });
  const connected = () => ["idle", "calling", "subscribed"].filter((user) => upstreams.userStatus("crm", user));

  await clock.advance(11 * MINUTE);
  assert.deepEqual(connected(), ["calling", "subscribed"]);

  stop.abort();
  await assert.rejects(call, { code: "cancelled" });
  subscribed!.unwatch("test://one");
  await clock.advance(11 * MINUTE);
  assert.deepEqual(connected(), []);
  await close();
});

test("if there are too many connections of users, one that is not in use ends first", async () => {
  const server = { name: "crm", url: "http://127.0.0.1:1/mcp", auth_broker: { mode: "oauth_connect" as const } };
  const { upstreams, close } = testUpstreams({ servers: [server], clock: handClock() });
  await upstreams.forUser("crm", "subscribed")!.watch("test://one", watcher);
  upstreams.forUser("crm", "idle");

  for (let n = 0; n < 199; n++) upstreams.forUser("crm", `user-${n}`);

  const connected = ["subscribed", "idle", "user-0"].map((user) => upstreams.userStatus("crm", user) !== undefined);
  assert.deepEqual(connected, [true, false, true]);
  await close();
});
