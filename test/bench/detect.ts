import { readListedTool } from "#lib/core/catalog/read-tool.ts";
import { examineTool, reportOf } from "#lib/modules/scan/rules/examine-tool.ts";
import type { Reader } from "#lib/modules/scan/rules/model/reader.ts";
import { livemcpTools } from "#test/kit/livemcp.ts";
import { PARTS, rates, type Sample, samples } from "#test/kit/poisoned.ts";

/** How well poisoned tools are told from ordinary ones, by part, class and language, and what a tool costs. */
export async function benchDetect() {
  const parts = Object.fromEntries(
    PARTS.map((part) => [part, samples(part)] as const)
      .filter(([, all]) => all.length > 0)
      .map(([part, all]) => [part, described(all)]),
  );
  const others = (["dev", "others-1", "others-2"] as const).flatMap(samples);
  const heldOut = samples("heldout");
  return {
    table: [
      "| | recall | false positives |",
      "| --- | --- | --- |",
      ...Object.entries(parts).map(([part, r]) => row(part, r)),
      row("527 tools of 70 public servers", publicTools()),
    ],
    trained_on_languages: by(others, "lang"),
    ...(heldOut.length > 0 && {
      heldout: described(heldOut),
      heldout_rules_alone: described(heldOut, withoutModel),
      heldout_classes: by(heldOut, "class"),
      heldout_languages: by(heldOut, "lang"),
    }),
    cost: cost(),
  };
}

interface Described {
  readonly recall?: string;
  readonly falsePositives?: string;
}

const withoutModel = (): Reader => ({ read: () => {}, findings: () => [] });

function described(all: readonly Sample[], reader?: () => Reader): Described {
  const { recall, falsePositives, poisoned, benign } = rates(all, reader);
  return {
    ...(poisoned > 0 && { recall: `${recall.toFixed(2)} of ${poisoned}` }),
    ...(benign > 0 && { falsePositives: `${falsePositives.toFixed(3)} of ${benign}` }),
  };
}

function row(name: string, { recall = "", falsePositives = "" }: Described): string {
  return `| ${name} | ${recall} | ${falsePositives} |`;
}

function by(all: readonly Sample[], member: "class" | "lang") {
  const keys = [...new Set(all.map((s) => s[member] ?? ""))].sort();
  return Object.fromEntries(keys.map((key) => [key, described(all.filter((s) => s[member] === key))]));
}

function publicDefinitions() {
  return [...livemcpTools().values()].flat().flatMap((raw) => {
    const tool = readListedTool(raw);
    return typeof tool === "string" ? [] : [tool.definition];
  });
}

function publicTools(): Described {
  const tools = publicDefinitions();
  const wrong = tools.filter((tool) => reportOf(examineTool(tool)).verdict !== "clean");
  return { falsePositives: `${(wrong.length / tools.length).toFixed(3)}` };
}

/** Milliseconds for one tool, of the public ones, once the code is warm. */
function cost() {
  const tools = publicDefinitions();
  for (const tool of tools) examineTool(tool);
  const times = tools
    .map((tool) => {
      const before = performance.now();
      examineTool(tool);
      return performance.now() - before;
    })
    .sort((a, b) => a - b);
  const at = (share: number) => Number(times[Math.floor(share * (times.length - 1))]!.toFixed(3));
  return { tools: tools.length, median_ms: at(0.5), p95_ms: at(0.95), longest_ms: at(1) };
}
