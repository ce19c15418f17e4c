import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { logRecipient } from "#lib/core/upstream/protocol/log-recipient.ts";
import type { PendingRequest } from "#lib/core/upstream/protocol/pending-request.ts";

/** A request of a caller, or of the proxy itself; with `takes` its caller takes log messages. */
function request(owner: string | undefined, takes = false): PendingRequest {
  const caller = owner === undefined ? undefined : { ...INTERNAL_CALLER, tier: "agent" as const, name: owner };
  const logs = takes ? { level: "info" as const, receive: () => {} } : undefined;
  return { owner, takes, options: { timeoutMs: 1, ...(caller && { caller }), ...(logs && { logs }) } } as never;
}

const [ann, annTakes, annToo, bob, own] = [
  request("ann"),
  request("ann", true),
  request("ann", true),
  request("bob", true),
  request(undefined),
];
const ROWS: [what: string, requests: PendingRequest[], expected: PendingRequest | string][] = [
  ["nothing is under way", [], "everybody"],
  ["only the proxy's own requests are under way", [own, own], "everybody"],
  ["one caller's requests are under way: the oldest that takes messages", [own, ann, annTakes, annToo], annTakes],
  ["one caller's request is under way that takes none", [ann], "nobody"],
  ["requests of several callers are under way", [annTakes, bob], "nobody"],
  ["requests of several callers are under way, of which one takes none", [ann, bob], "nobody"],
];
for (const [what, requests, expected] of ROWS)
  test(`whose a log message without a request is when ${what}`, () => {
    assert.equal(logRecipient(requests), expected);
  });
