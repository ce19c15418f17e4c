import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import type { RequestContext } from "#lib/core/mcp/request-context.ts";
import { createSubscriptions } from "#lib/core/mcp/subscriptions.ts";
import { FULL_SCOPE, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";

const INFO = { name: "proxy", title: "MCP proxy", version: "1" };
const OPTIONS = {
  clock: systemClock,
  info: INFO,
  mark: () => {},
  subscribe: async () => {},
  unsubscribe: () => {},
  left: () => {},
  listenForTasks: () => ({ follow: async () => {}, giveUp: () => {}, end: () => {} }),
};
const WANTED = { notifications: { toolsListChanged: true } };

function turn(name: string): RequestContext & { sent: string[] } {
  const sent: string[] = [];
  const caller = { ...INTERNAL_CALLER, tier: "agent" as const, name, scope: FULL_SCOPE };
  const requester = { caller, requestId: "r-1" };
  return {
    mode: "direct",
    requester,
    session: undefined,
    passedThrough: false,
    observed: undefined,
    abort: new AbortController(),
    notify: (m) => sent.push(m),
    sent,
  };
}

test("places are bounded, and one caller leaves half of them to others", async () => {
  const subscriptions = createSubscriptions({ ...OPTIONS, most: 4 });
  const refused = (answer: unknown) => typeof answer === "string" && JSON.parse(answer).error?.code === -32603;
  const [first, second] = [turn("a"), turn("a")];

  const ending = subscriptions.listen(first, 1, WANTED);
  subscriptions.listen(second, 2, WANTED);
  assert.ok(refused(subscriptions.listen(turn("a"), 3, WANTED)));
  subscriptions.listen(turn("b"), 1, WANTED);
  subscriptions.listen(turn("b"), 2, WANTED);
  assert.ok(refused(subscriptions.listen(turn("c"), 1, WANTED)));

  first.abort.abort();
  assert.equal(await ending, undefined);
  assert.ok(!refused(subscriptions.listen(turn("c"), 1, WANTED)));
  assert.equal([...subscriptions.all()].length, 4);
});

test("whoever has left before being heard takes no place", async () => {
  const subscriptions = createSubscriptions(OPTIONS);
  const gone = turn("a");
  gone.abort.abort();

  assert.equal(await subscriptions.listen(gone, 1, WANTED), undefined);
  assert.equal([...subscriptions.all()].length, 0);
});

test("an ended subscription ends once, with the word that it is over", async () => {
  const subscriptions = createSubscriptions(OPTIONS);
  const one = turn("a");
  const answer = subscriptions.listen(one, "x", WANTED);
  const [subscription] = subscriptions.all();

  subscription!.end();
  subscription!.end();
  one.abort.abort();

  assert.equal(JSON.parse((await answer)!).result._meta["io.modelcontextprotocol/subscriptionId"], "x");
  assert.equal(one.sent.length, 1);
});
