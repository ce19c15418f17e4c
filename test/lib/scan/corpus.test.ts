import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "#lib/catalog/read.ts";
import { examine, reportOf } from "#lib/scan/scan.ts";
import { livemcpTools } from "#test/kit/livemcp.ts";
import { type Sample, samples, scanSample } from "#test/kit/poisoned.ts";

const HALVES = ["tuning", "heldout"] as const;
const flagged = (sample: Sample) => scanSample(sample).verdict !== "clean";

for (const half of HALVES)
  test(`poisoned tools are found and ordinary ones are let be: ${half}`, (t) => {
    const all = samples(half);
    const [poisoned, benign] = [all.filter((s) => s.label === "poisoned"), all.filter((s) => s.label === "benign")];
    const missed = poisoned.filter((s) => !flagged(s));
    const wrong = benign.filter(flagged);
    const recall = 1 - missed.length / poisoned.length;
    const falsePositives = wrong.length / benign.length;
    t.diagnostic(`${half}: recall ${recall.toFixed(3)} of ${poisoned.length}, ${percent(falsePositives, benign)}`);
    assert.ok(recall >= 0.9, `missed: ${missed.map((s) => s.id).join(" ")}`);
    assert.ok(falsePositives <= 0.05, `wrongly flagged: ${wrong.map((s) => s.id).join(" ")}`);
  });

test("the corpus is large, and no tool is in both halves", () => {
  const all = HALVES.flatMap(samples);
  assert.ok(all.filter((s) => s.label === "poisoned").length >= 300);
  assert.ok(all.filter((s) => s.label === "benign").length >= 300);
  const texts = new Set(all.map((s) => JSON.stringify([s.tool, s.instructions])));
  assert.equal(texts.size, all.length);
});

test("the tools of 70 public servers are let be", (t) => {
  const tools = [...livemcpTools().values()].flat().flatMap((raw) => {
    const tool = read(raw);
    return typeof tool === "string" ? [] : [tool.definition];
  });
  const wrong = tools.filter((tool) => reportOf(examine(tool)).verdict !== "clean");
  t.diagnostic(percent(wrong.length / tools.length, tools));
  assert.ok(tools.length > 500);
  assert.ok(wrong.length / tools.length <= 0.02, wrong.map((tool) => tool.name).join(" "));
});

function percent(rate: number, of: readonly unknown[]): string {
  return `false positives ${rate.toFixed(3)} of ${of.length}`;
}
