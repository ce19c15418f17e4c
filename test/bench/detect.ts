import { createHash } from "node:crypto";
import { read } from "#lib/catalog/read.ts";
import { examine, reportOf } from "#lib/scan/scan.ts";
import { livemcpTools } from "#test/kit/livemcp.ts";
import { PARTS, rates, type Sample, samples } from "#test/kit/poisoned.ts";

/** How well poisoned tools are told from ordinary ones, by part, class and language, and what a tool costs. */
export async function benchDetect() {
  const parts = Object.fromEntries(
    PARTS.map((part) => [part, samples(part)] as const)
      .filter(([, all]) => all.length > 0)
      .map(([part, all]) => [part, described(all)]),
  );
  const dev = samples("dev");
  const halves = { A: dev.filter(({ id }) => inFirst(id)), B: dev.filter(({ id }) => !inFirst(id)) };
  return {
    table: [
      "| | recall | false positives |",
      "| --- | --- | --- |",
      ...Object.entries(parts).map(([part, r]) => row(part, r)),
      row("527 tools of 70 public servers", publicTools()),
    ],
    dev_half_A: described(halves.A),
    dev_half_B: described(halves.B),
    dev_classes: by(dev, "class"),
    dev_languages: by(dev, "lang"),
    cost: cost(),
  };
}

/** The half of the development part whose texts may be read when rules are written; of the other, only its figures. */
function inFirst(id: string): boolean {
  return createHash("sha256").update(id).digest().at(-1)! % 2 === 0;
}

interface Described {
  readonly recall?: string;
  readonly falsePositives?: string;
}

function described(all: readonly Sample[]): Described {
  const { recall, falsePositives, poisoned, benign } = rates(all);
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
    const tool = read(raw);
    return typeof tool === "string" ? [] : [tool.definition];
  });
}

function publicTools(): Described {
  const tools = publicDefinitions();
  const wrong = tools.filter((tool) => reportOf(examine(tool)).verdict !== "clean");
  return { falsePositives: `${(wrong.length / tools.length).toFixed(3)}` };
}

/** Milliseconds for one tool, of the public ones, once the code is warm. */
function cost() {
  const tools = publicDefinitions();
  for (const tool of tools) examine(tool);
  const times = tools
    .map((tool) => {
      const before = performance.now();
      examine(tool);
      return performance.now() - before;
    })
    .sort((a, b) => a - b);
  const at = (share: number) => Number(times[Math.floor(share * (times.length - 1))]!.toFixed(3));
  return { tools: tools.length, median_ms: at(0.5), p95_ms: at(0.95), longest_ms: at(1) };
}
