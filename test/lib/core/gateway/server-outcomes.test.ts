import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomesNotice, serverOutcomes } from "#lib/core/gateway/server-outcomes.ts";
import { admin, agent } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { withStates } from "#test/kit/states.ts";

const STATES = {
  well: {},
  slow: { state: "Connecting" },
  listing: { listing: { listed: false } },
  dead: { state: "Error", lastError: "connection refused" },
  unlisted: { listing: { listed: false, error: "no answer" } },
  unsigned: { state: "Error", authRequired: true },
  ended: { authRequired: true },
  held: {},
  off: {},
} as const;
const servers = Object.keys(STATES).map((name) => ({
  name,
  command: "x",
  quarantined: name === "held",
  enabled: name !== "off",
}));

test("each enabled server has an outcome from its state alone, those that are not ready first", () =>
  withApp({ connect: false, servers }, async (app) => {
    const outcomes = await serverOutcomes(withStates(app, STATES), admin.caller);

    assert.deepEqual(Object.entries(outcomes ?? {}), [
      ["slow", "server_initializing"],
      ["listing", "server_initializing"],
      ["dead", "server_unhealthy"],
      ["unlisted", "server_unhealthy"],
      ["unsigned", "oauth_required"],
      ["ended", "oauth_required"],
      ["held", "server_quarantined"],
      ["well", "ready"],
    ]);
  }));

test("a server that a caller may not see is not named, and without any server there is nothing to say", () =>
  withApp({ connect: false, servers }, async (app) => {
    const states = withStates(app, STATES);

    assert.deepEqual(await serverOutcomes(states, agent(["dead", "well"]).caller), {
      dead: "server_unhealthy",
      well: "ready",
    });
    assert.equal(await serverOutcomes(states, agent(["off"]).caller), undefined);
    assert.equal(await serverOutcomes(states, agent([]).caller), undefined);
  }));

test("the sentence names at most ten servers and says nothing while all are ready", () => {
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`s${i}`, "server_unhealthy" as const]));

  assert.equal(outcomesNotice({ a: "ready", b: "ready" }), "");
  assert.equal(
    outcomesNotice({ a: "server_initializing", b: "oauth_required", c: "ready" }),
    "Tools of some servers may be missing or fail: a (still starting), b (a person must sign in to it).",
  );
  assert.match(outcomesNotice(many), /s9 \(not reachable\), and 3 more\.$/);
});

test("an answer names at most 500 servers, and those that are not ready before the others", () => {
  const crowd = Array.from({ length: 600 }, (_, i) => ({ name: `s${i}`, command: "x" }));
  const states = Object.fromEntries(
    crowd.map(({ name }) => [name, name === "s599" ? { state: "Error" as const } : {}]),
  );
  return withApp({ connect: false, servers: crowd }, async (app) => {
    const outcomes = Object.entries((await serverOutcomes(withStates(app, states), admin.caller)) ?? {});

    assert.equal(outcomes.length, 500);
    assert.deepEqual(outcomes[0], ["s599", "server_unhealthy"]);
  });
});
