import assert from "node:assert/strict";
import { test } from "node:test";
import { labelWorker, mergeMetrics } from "#lib/modules/metrics/merge-worker-metrics.ts";

const text = (a: number, b: number) => `# HELP calls_total Number of calls, of "a{b}".
# TYPE calls_total counter
calls_total{server="git {1}"} ${a}
calls_total{server="x"} ${b}

# HELP up Whether it is up.
# TYPE up gauge
up ${a}
`;

test("each sample names its worker, and the samples of one metric stand below one description", async () => {
  const merged = await mergeMetrics([labelWorker(text(1, 2), 1), labelWorker(text(3, 4), 2)]);

  assert.deepEqual(merged.split("\n").filter(Boolean), [
    '# HELP calls_total Number of calls, of "a{b}".',
    "# TYPE calls_total counter",
    'calls_total{worker="1",server="git {1}"} 1',
    'calls_total{worker="1",server="x"} 2',
    'calls_total{worker="2",server="git {1}"} 3',
    'calls_total{worker="2",server="x"} 4',
    "# HELP up Whether it is up.",
    "# TYPE up gauge",
    'up{worker="1"} 1',
    'up{worker="2"} 3',
  ]);
});

test("a worker that did not answer is left out", async () => {
  assert.equal(await mergeMetrics([""]), "");
  assert.match(await mergeMetrics(["", labelWorker(text(1, 2), 2)]), /^up\{worker="2"\} 1$/m);
});
