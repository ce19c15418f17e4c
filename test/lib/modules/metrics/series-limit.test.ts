import assert from "node:assert/strict";
import { test } from "node:test";
import { createSeriesLimit } from "#lib/modules/metrics/series-limit.ts";

const OK = { error_type: "" };

test("a server that lists ever new tools gets few series, and its further tools are counted together", () => {
  const limit = createSeriesLimit(100, 3);

  const tools = Array.from({ length: 50 }, (_, i) => limit.labelsOf("bad", `tool${i}`, OK).gen_ai_tool_name);

  assert.deepEqual([...new Set(tools)], ["tool0", "tool1", "tool2", "other"]);
  assert.equal(limit.labelsOf("good", "read", OK).gen_ai_tool_name, "read");
});

test("further servers are counted together, and a removed server makes room", () => {
  const limit = createSeriesLimit(2, 2);
  assert.equal(limit.labelsOf("one", undefined, OK).server, "one");
  assert.equal(limit.labelsOf("two", undefined, OK).server, "two");
  assert.deepEqual(limit.labelsOf("three", undefined, OK), { server: "other", error_type: "" });
  assert.deepEqual(limit.labelsOf("four", "tool", OK), { server: "other", error_type: "", gen_ai_tool_name: "other" });

  assert.deepEqual(limit.forget("one"), [{ server: "one", error_type: "" }]);
  assert.deepEqual(limit.forget("one"), []);
  assert.equal(limit.labelsOf("__proto__", undefined, OK).server, "other", "the series for all others count, too");
});

test("the same values are the same series", () => {
  const limit = createSeriesLimit();
  assert.equal(limit.labelsOf("one", "t", OK), limit.labelsOf("one", "t", { ...OK }));
});
