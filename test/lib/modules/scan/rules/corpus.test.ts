import assert from "node:assert/strict";
import { test } from "node:test";
import { readListedTool } from "#lib/core/catalog/read-tool.ts";
import { examineTool, reportOf } from "#lib/modules/scan/rules/examine-tool.ts";
import { livemcpTools } from "#test/kit/livemcp.ts";
import { PARTS, rates, samples, scanSample } from "#test/kit/poisoned.ts";

/**
 * What was reached; a change that finds less or flags more has to say so here. The model is trained on all parts but
 * `heldout`, so the figures of the others say nothing about texts that nobody trained on (docs/scanning.md has those).
 */
const BOUNDS = {
  tuning: { recall: 0.93, falsePositives: 0.02 },
  "heldout-own": { recall: 0.93, falsePositives: 0.02 },
  dev: { recall: 0.95, falsePositives: 0.03 },
  "others-1": { recall: 0.9, falsePositives: 0.06 },
  "others-2": { recall: 0.9, falsePositives: 0.06 },
  // Nothing was tuned or trained on it; it reached 0.84 and 0.109.
  heldout: { recall: 0.8, falsePositives: 0.13 },
} as const;

for (const [part, bounds] of Object.entries(BOUNDS))
  test(`poisoned tools are found and ordinary ones are let be: ${part}`, (t) => {
    const { recall, falsePositives, missed, wrong, poisoned, benign } = rates(samples(part as keyof typeof BOUNDS));

    t.diagnostic(
      `${part}: recall ${recall.toFixed(3)} of ${poisoned}, false positives ${falsePositives.toFixed(3)} of ${benign}`,
    );
    assert.ok(recall >= bounds.recall, `missed: ${missed.map((s) => s.id).join(" ")}`);
    assert.ok(falsePositives <= bounds.falsePositives, `wrongly flagged: ${wrong.map((s) => s.id).join(" ")}`);
  });

test("the corpus is large, and no tool is in two parts", () => {
  const all = PARTS.flatMap(samples);

  assert.ok(all.filter((s) => s.label === "poisoned").length >= 950);
  assert.ok(all.filter((s) => s.label === "benign").length >= 960);
  const texts = new Set(all.map((s) => JSON.stringify([s.server, s.tool, s.instructions])));
  assert.equal(texts.size, all.length);
});

test("the tools of 70 public servers are let be, each among all the others", (t) => {
  const servers = [...livemcpTools()].map(([server, raws]) => {
    const tools = raws.flatMap((raw) => {
      const tool = readListedTool(raw);
      return typeof tool === "string" ? [] : [tool.definition];
    });
    return { server, tools };
  });
  const flagged = (among: boolean) =>
    servers.flatMap(({ server, tools }) => {
      const others = among ? servers.filter((other) => other.server !== server) : [];
      return tools.filter((tool) => {
        const sample = { id: tool.name, label: "benign", server, tool, siblings: tools, others } as const;
        return (among ? scanSample(sample) : reportOf(examineTool(tool))).verdict !== "clean";
      });
    });
  const count = servers.flatMap(({ tools }) => tools).length;

  const [alone, together] = [flagged(false), flagged(true)];

  t.diagnostic(`alone ${alone.length}, among the others ${together.length} of ${count}`);
  assert.ok(count > 500);
  assert.ok(alone.length / count <= 0.01, alone.map(({ name }) => name).join(" "));
  assert.ok(together.length / count <= 0.02, together.map(({ name }) => name).join(" "));
});
