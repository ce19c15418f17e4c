import assert from "node:assert/strict";
import { test } from "node:test";
import { disclosedStatus, isServerHidden, isToolHidden } from "#lib/core/policy/hidden.ts";

const TIERS = ["admin", "agent", "user", "anonymous"] as const;

test("what a server says is withheld while it waits for review, from everybody but administrators", () => {
  const rows: [review: Parameters<typeof isServerHidden>[0], withheld: boolean][] = [
    [{ quarantined: false }, false],
    [{ quarantined: false, held: false }, false],
    [{ quarantined: true }, true],
    [{ quarantined: false, held: true }, true],
    [{ quarantined: true, held: true }, true],
    [undefined, true],
  ];
  for (const [review, withheld] of rows)
    for (const tier of TIERS)
      assert.equal(isServerHidden(review, { tier }), withheld && tier !== "admin", JSON.stringify([review, tier]));
});

test("a tool's texts are withheld unless it is approved, not blocked, and its server is reviewed", () => {
  const reviewed = { quarantined: false };
  const rows: [Parameters<typeof isToolHidden>[0], Parameters<typeof isToolHidden>[1], boolean][] = [
    [{ status: "approved", disabled: false }, reviewed, false],
    [{ status: "approved", disabled: true }, reviewed, true],
    [{ status: "pending", disabled: false }, reviewed, true],
    [{ status: "changed", disabled: false }, reviewed, true],
    [{ status: "approved", disabled: false }, { quarantined: true }, true],
    [{ status: "approved", disabled: false }, { quarantined: false, held: true }, true],
    [{ status: "approved", disabled: false }, undefined, true],
  ];
  for (const [tool, review, withheld] of rows)
    for (const tier of TIERS)
      assert.equal(isToolHidden(tool, review, { tier }), withheld && tier !== "admin", JSON.stringify([tool, tier]));
});

test("a withheld connection keeps its state and counts, and loses what the server wrote", () => {
  const status = {
    state: "Error",
    since: 1,
    attempts: 2,
    reconnects: 0,
    lastError: "it refused the handshake: MARK",
    errorClass: "handshake_failed",
    serverInfo: { name: "MARK", version: "MARK" },
    instructions: "MARK",
  } as const;
  assert.deepEqual(disclosedStatus(status, { quarantined: true }, { tier: "agent" }), {
    state: "Error",
    since: 1,
    attempts: 2,
    reconnects: 0,
    lastError: "handshake_failed",
    errorClass: "handshake_failed",
  });
  assert.equal(disclosedStatus(status, { quarantined: true }, { tier: "admin" }), status);
  assert.equal(disclosedStatus(status, { quarantined: false }, { tier: "agent" }), status);
});
