import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "#lib/core/mcp/envelope.ts";
import { ENVELOPE, newer } from "#test/kit/era.ts";

const KEY = "io.modelcontextprotocol/";
const plain = (params?: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/list", ...(params && { params }) });
const enveloped = (changes: object) => plain({ _meta: { ...ENVELOPE, ...changes } });
const note = (params?: object) => ({ jsonrpc: "2.0", method: "notifications/cancelled", ...(params && { params }) });

/** A message, the header `MCP-Protocol-Version`, and the era it is of, or the code of the refusal. */
const ROWS: [says: string, message: unknown, header: string | undefined, wanted: string | number][] = [
  ["without a claim", plain(), undefined, "2025"],
  ["without a claim, an older header", plain(), "2025-11-25", "2025"],
  ["without a claim, a header nobody knows", plain(), "1999-01-01", "2025"],
  ["claimed, the same header", enveloped({}), "2026-07-28", "2026"],
  ["claimed, no header layer", enveloped({}), undefined, "2026"],
  ["claimed, an older header", enveloped({}), "2025-11-25", -32020],
  ["claimed, a header nobody knows", enveloped({}), "v9", -32020],
  ["claims a revision nobody knows", enveloped({ [`${KEY}protocolVersion`]: "v9" }), "v9", -32022],
  ["claims a revision nobody knows, no header", enveloped({ [`${KEY}protocolVersion`]: "v9" }), undefined, -32022],
  ["claims what the header does not", enveloped({ [`${KEY}protocolVersion`]: "v9" }), "2026-07-28", -32020],
  ["claims an older revision", enveloped({ [`${KEY}protocolVersion`]: "2025-11-25" }), "2025-11-25", "2025"],
  ["claims no text", enveloped({ [`${KEY}protocolVersion`]: 7 }), "2026-07-28", -32602],
  ["the header alone", plain(), "2026-07-28", -32602],
  ["the header alone, other metadata", plain({ _meta: { progressToken: 1 } }), "2026-07-28", -32602],
  ["no revision", enveloped({ [`${KEY}protocolVersion`]: undefined }), "2026-07-28", -32602],
  ["no capabilities", enveloped({ [`${KEY}clientCapabilities`]: undefined }), "2026-07-28", -32602],
  ["capabilities that are none", enveloped({ [`${KEY}clientCapabilities`]: [] }), "2026-07-28", -32602],
  ["no name of the client", enveloped({ [`${KEY}clientInfo`]: undefined }), "2026-07-28", "2026"],
  ["a name that is none", enveloped({ [`${KEY}clientInfo`]: "me" }), "2026-07-28", "2026"],
  ["initialize of the older era", { ...plain({}), method: "initialize" }, undefined, "2025"],
  ["initialize, a newer header", { ...plain({}), method: "initialize" }, "2026-07-28", "2025"],
  ["initialize, claimed", newer("initialize").message, "2026-07-28", "2026"],
  ["a notification, by its header", note(), "2026-07-28", "2026"],
  ["a notification, by nothing", note(), undefined, "2025"],
  ["a notification, claimed", note({ _meta: { [`${KEY}protocolVersion`]: "2026-07-28" } }), undefined, "2026"],
  ["a response", { jsonrpc: "2.0", id: 1, result: {} }, "2026-07-28", -32600],
  ["a batch", [enveloped({})], "2026-07-28", "2025"],
  ["no message", null, "2026-07-28", "2025"],
  ["params that are none", { ...plain(), params: 7 }, undefined, "2025"],
];

for (const [says, message, header, wanted] of ROWS)
  test(`the era of a message: ${says}`, () => {
    const reading = readProtocol(message, header);

    assert.equal(reading.family === "none" ? reading.error.code : reading.family, wanted);
  });

test("an envelope tells who the client is, in bounds, and what it can", () => {
  const info = { name: "n".repeat(1000), version: 3 };
  const reading = readProtocol(
    enveloped({ [`${KEY}clientInfo`]: info, [`${KEY}clientCapabilities`]: { roots: {} } }),
    "2026-07-28",
  );

  assert.ok(reading.family === "2026");
  assert.deepEqual(reading.envelope, { client: { name: "n".repeat(200), version: "" }, capabilities: { roots: {} } });
});

test("a refusal names what is missing, and the revisions that are spoken", () => {
  const lacking = readProtocol(plain({ _meta: {} }), "2026-07-28");
  const unknown = readProtocol(enveloped({ [`${KEY}protocolVersion`]: "v9" }), "v9");

  assert.ok(lacking.family === "none" && unknown.family === "none");
  assert.match(lacking.error.message, /protocolVersion and io\.modelcontextprotocol\/clientCapabilities/);
  assert.deepEqual(unknown.error.data, {
    supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
    requested: "v9",
  });
});
