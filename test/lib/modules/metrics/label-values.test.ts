import assert from "node:assert/strict";
import { test } from "node:test";
import { errorLabel, methodLabel } from "#lib/modules/metrics/label-values.ts";

test("methods and errors from outside create no series of their own", () => {
  for (const [method, label] of [
    ["tools/call", "tools/call"],
    ["initialize", "initialize"],
    ["x/attack-4711", "other"],
    ["constructor", "other"],
  ] as const)
    assert.equal(methodLabel(method), label);
  for (const [error, label] of [
    [undefined, ""],
    ["tool_error", "tool_error"],
    ["call_timeout", "call_timeout"],
    ["_OTHER", "_OTHER"],
    ["-32601", "-32601"],
    ["-32001", "-32001"],
    ["-32002", "-32002"],
    ["-32020", "-32020"],
    ["-32021", "-32021"],
    ["-32022", "-32022"],
    ["-32042", "-32042"],
    ["-32123", "other"],
    ["4711", "other"],
    ["NaN", "NaN"],
  ] as const)
    assert.equal(errorLabel(error), label);
});
