import assert from "node:assert/strict";
import { test } from "node:test";
import { Histogram, type Metric, Registry } from "prom-client";
import { DurationHistogram } from "#lib/modules/metrics/duration-histogram.ts";

const FACTS = { name: "d_seconds", help: "Durations.", buckets: [0.01, 0.1, 1], labelNames: ["tool", "error"] };
const SERIES = [
  { labels: { tool: 'a"b\\c\nd', error: "" }, seconds: [0, 0.01, 0.010001, 0.1, 1, 1.5, 300] },
  { labels: { tool: "other", error: "x" }, seconds: [0.5] },
] as const;

/** The lines of a registry without the order of the labels, which has no meaning. */
async function linesOf(registry: Registry): Promise<string[]> {
  const text = await registry.getSingleMetricAsString(FACTS.name);
  return text.split("\n").map((line) =>
    line.replace(
      /\{(.*)\}/,
      (_, labels: string) =>
        `{${labels
          .split(/,(?=\w+=")/)
          .sort()
          .join(",")}}`,
    ),
  );
}

function registered(): { registry: Registry; own: DurationHistogram } {
  const registry = new Registry();
  const own = new DurationHistogram(FACTS);
  registry.registerMetric(own as unknown as Metric);
  return { registry, own };
}

test("the text is that of prom-client's own histogram", async () => {
  const { registry, own } = registered();
  const theirs = new Registry();
  const histogram = new Histogram({ ...FACTS, registers: [theirs] });

  for (const { labels, seconds } of SERIES) {
    const series = own.add(labels);
    for (const one of seconds) {
      series.observe(one);
      histogram.observe(labels, one);
    }
  }

  assert.deepEqual(await linesOf(registry), await linesOf(theirs));
});

test("a removed series is in no text any more", async () => {
  const { registry, own } = registered();
  const series = own.add({ tool: "gone", error: "" });
  own.add({ tool: "stays", error: "" });

  own.remove(series);

  const text = await registry.getSingleMetricAsString(FACTS.name);
  assert.doesNotMatch(text, /gone/);
  assert.match(text, /stays/);
});
