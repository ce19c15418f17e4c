import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { callVariantFor, checkVariant, readIntent } from "#lib/core/policy/intent.ts";
import { FULL_SCOPE } from "#lib/core/schema/caller.ts";
import type { CallVariant } from "#lib/core/schema/tool.ts";
import { verifies } from "#test/kit/verifies.ts";

const VARIANTS: Record<CallVariant, string> = {
  call_tool_read: "read",
  call_tool_write: "write",
  call_tool_destructive: "destructive",
};
const variants = Object.entries(VARIANTS) as [CallVariant, string][];
const refused = (variant: CallVariant, input: Record<string, unknown>, message: RegExp) =>
  assert.throws(
    () => readIntent(variant, input),
    (e: unknown) => e instanceof Fault && e.code === "intent_invalid" && e.status === 400 && message.test(e.message),
    JSON.stringify(input),
  );

verifies(
  ["mcp.intent.operation-type", "mcp.call.intent-read", "mcp.call.intent-write", "mcp.call.intent-destructive"],
  "operation_type must be the variant's own, and a wrong one is told which variant it belongs to",
  () => {
    for (const [variant, operation] of variants)
      for (const said of ["read", "write", "destructive"]) {
        const input = { intent: { operation_type: said } };
        if (said === operation) assert.deepEqual(readIntent(variant, input), { operation_type: said });
        else refused(variant, input, new RegExp(`call call_tool_${said}.*"operation_type": "${operation}"`));
      }
  },
);

verifies("mcp.intent.operation-type", "a missing or unknown operation_type is refused with the right shape", () => {
  const inputs: Record<string, unknown>[] = [
    { intent: {} },
    { intent: { reason: "x" } },
    { intent: { operation_type: null } },
    { intent: { operation_type: "READ" } },
    { intent: { operation_type: "delete" } },
    { intent: { operation_type: 1 } },
    { intent: { operation_type: {} } },
    { intent: [] },
    { intent: "read" },
    { intent: 7 },
    { intent: true },
    { intent: {}, intent_reason: "x" },
  ];
  for (const input of inputs) refused("call_tool_read", input, /"intent": \{"operation_type": "read"\}/);
});

test("a call without an intent has the operation of its variant", () => {
  for (const [variant, operation] of variants)
    for (const input of [{}, { intent: null }, { intent_reason: null }])
      assert.deepEqual(readIntent(variant, input), { operation_type: operation });
});

verifies("mcp.intent.sensitivity", "data_sensitivity is one of four words in lower case", () => {
  const intent = { operation_type: "read" };
  for (const word of ["public", "internal", "private", "unknown"])
    assert.equal(
      readIntent("call_tool_read", { intent: { ...intent, data_sensitivity: word } }).data_sensitivity,
      word,
    );
  for (const word of ["Public", "secret", "", 1, {}, ["public"], "constructor"])
    refused("call_tool_read", { intent: { ...intent, data_sensitivity: word } }, /public, internal, private, unknown/);
});

verifies("mcp.intent.reason", "a reason has at most 1000 characters, and is kept", () => {
  const intent = (reason: unknown) => ({ intent: { operation_type: "write", reason } });

  assert.equal(readIntent("call_tool_write", intent("a".repeat(1000))).reason?.length, 1000);
  assert.equal(readIntent("call_tool_write", intent("🙂".repeat(1000))).reason?.length, 2000);
  refused("call_tool_write", intent("a".repeat(1001)), /1000 characters/);
  refused("call_tool_write", intent(5), /must be a string/);
});

test("flat intent members are understood, the variant saying the operation (spec 001 §2.2)", () => {
  for (const [variant, operation] of variants) {
    assert.deepEqual(readIntent(variant, { intent_reason: "why", intent_data_sensitivity: "private" }), {
      operation_type: operation,
      data_sensitivity: "private",
      reason: "why",
    });
    assert.deepEqual(readIntent(variant, { intent_operation_type: operation }), { operation_type: operation });
  }
  refused("call_tool_read", { intent_operation_type: "write" }, /call call_tool_write/);
  refused("call_tool_read", { intent_data_sensitivity: "PRIVATE" }, /lower case/);
});

test("an intent object wins over flat members, member by member", () => {
  const input = {
    intent: { operation_type: "read", reason: "object" },
    intent_reason: "flat",
    intent_data_sensitivity: "public",
  };

  assert.deepEqual(readIntent("call_tool_read", input), {
    operation_type: "read",
    data_sensitivity: "public",
    reason: "object",
  });
});

test("members that are no intent's stay out of it", () => {
  const input = { intent: JSON.parse('{"operation_type":"read","__proto__":{"reason":"x"},"other":1}') };

  assert.deepEqual(Object.keys(readIntent("call_tool_read", input)), ["operation_type"]);
});

verifies(
  ["mcp.call.read-rejects", "mcp.call.write-rejects", "mcp.call.destructive-allows"],
  "a tool marked destructive is refused through the milder variants, unless that check is switched off",
  () => {
    for (const [variant] of variants)
      for (const destructiveHint of [undefined, false, true])
        for (const strict of [false, true]) {
          const annotations = destructiveHint === undefined ? undefined : { destructiveHint };
          const run = () => checkVariant("git:push", variant, annotations, strict);
          if (strict && destructiveHint === true && variant !== "call_tool_destructive")
            assert.throws(run, (e: unknown) => e instanceof Fault && e.code === "destructive_mismatch");
          else assert.doesNotThrow(run);
        }
  },
);

test("the variant that fits a tool follows from its hints (spec 001 §4.1)", () => {
  const rows = [
    [undefined, "call_tool_read"],
    [{}, "call_tool_read"],
    [{ readOnlyHint: true }, "call_tool_read"],
    [{ readOnlyHint: false }, "call_tool_write"],
    [{ readOnlyHint: true, destructiveHint: true }, "call_tool_destructive"],
    [{ destructiveHint: false }, "call_tool_read"],
  ] as const;
  for (const [annotations, variant] of rows)
    assert.equal(callVariantFor(annotations, FULL_SCOPE), variant, JSON.stringify(annotations));
});
