import assert from "node:assert/strict";
import { test } from "node:test";
import type { Labels } from "#lib/modules/metrics/duration-histogram.ts";
import { createSeriesLimit, type SeriesLimit } from "#lib/modules/metrics/series-limit.ts";

interface Opened {
  readonly labels: Labels;
  readonly sequence: number;
}

const limited = (maxSeries?: number, maxServerSeries?: number) =>
  createSeriesLimit<Opened>({
    open: (labels, sequence) => ({ labels, sequence }),
    ...(maxSeries !== undefined && { maxSeries }),
    ...(maxServerSeries !== undefined && { maxServerSeries }),
  });

const labelsOf = (limit: SeriesLimit<Opened>, server: string, tool?: string) =>
  limit.seriesOf(server, tool, "tools/call", "").labels;
const of = (server: string) => ({ server, mcp_method_name: "tools/call", error_type: "" });

test("a server that lists ever new tools gets few series, and its further tools are counted together", () => {
  const limit = limited(100, 3);

  const tools = Array.from({ length: 50 }, (_, i) => labelsOf(limit, "bad", `tool${i}`).gen_ai_tool_name);

  assert.deepEqual([...new Set(tools)], ["tool0", "tool1", "tool2", "other"]);
  assert.equal(labelsOf(limit, "good", "read").gen_ai_tool_name, "read");
});

test("further servers are counted together, and a removed server makes room", () => {
  const limit = limited(2, 2);
  for (const name of ["one", "two"]) assert.deepEqual(labelsOf(limit, name), of(name));
  assert.deepEqual(labelsOf(limit, "three"), of("other"));
  assert.deepEqual(labelsOf(limit, "four", "tool"), { ...of("other"), gen_ai_tool_name: "other" });

  for (const name of ["one", "two", "other"]) limit.forget(name);
  assert.deepEqual(limit.forget("one"), []);
  assert.deepEqual(labelsOf(limit, "__proto__"), of("__proto__"));
});

test("a server with the name of all further servers is limited like every other", () => {
  const limit = limited(10, 3);

  const tools = Array.from({ length: 50 }, (_, i) => labelsOf(limit, "other", `tool${i}`).gen_ai_tool_name);

  assert.deepEqual([...new Set(tools)], ["tool0", "tool1", "tool2", "other"]);
});

test("the same values are the same series, and consecutive series have consecutive numbers", () => {
  const limit = limited();
  const first = limit.seriesOf("one", "t", "tools/call", "");

  assert.equal(limit.seriesOf("one", "t", "tools/call", ""), first);
  assert.equal(limit.seriesOf("one", "t", "tools/call", "tool_error").sequence, first.sequence + 1);
  assert.equal(limit.seriesOf("one", "t", "prompts/get", "").sequence, first.sequence + 2);
  assert.equal(limit.seriesOf("one", undefined, "tools/call", "").sequence, first.sequence + 3);
});
