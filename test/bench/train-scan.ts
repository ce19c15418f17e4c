/**
 * Trains the linear model of the scan (`lib/modules/scan/rules/model`) on the labelled tools of `test/data/poisoned`.
 *
 * `node build/run.mjs test/bench/train-scan.ts` validates: it trains on all sets of authors but one and prints what is
 * found in that one, with and without the model. With `--write`, it also trains on everything, takes the threshold from
 * the validation, and writes `lib/modules/scan/rules/model/weights.json`. The same data gives the same weights.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readListedTool } from "#lib/core/catalog/read-tool.ts";
import { examineInstructions, examineTool } from "#lib/modules/scan/rules/examine-tool.ts";
import { FEATURE_BITS, featuresOf } from "#lib/modules/scan/rules/model/features.ts";
import type { Reader } from "#lib/modules/scan/rules/model/reader.ts";
import { livemcpTools } from "#test/kit/livemcp.ts";
import { type Sample, samples, scanSample } from "#test/kit/poisoned.ts";

/** Sets by author; one is left out at a time. The first two are by one hand. */
const AUTHORS: Record<string, readonly Parameters<typeof samples>[0][]> = {
  first: ["tuning", "heldout-own"],
  dev: ["dev"],
  "others-1": ["others-1"],
  "others-2": ["others-2"],
};
/** Sets whose ordinary tools the threshold is taken from. */
const JUDGED = ["dev", "others-1", "others-2"];
/** Share of ordinary tools that the model may flag beyond those that the rules flag, in sets left out. */
const ALLOWED = 0.02;
const ALLOWED_PUBLIC = 0.01;

const L2 = 0.5;
/** How nearly the most suspicious sentence alone stands for its tool. */
const SHARPNESS = 5;
const ROUNDS = 150;
const RATE = 0.1;
const FEATURES = 1 << FEATURE_BITS;

interface Features {
  readonly ids: number[];
  readonly shares: number[];
}

interface Case {
  readonly sample: Sample;
  readonly author: string;
  readonly poisoned: boolean;
  /** By the rules alone. */
  readonly flagged: boolean;
  /** Found by what is no sentence: hidden characters, codes, look-alikes, annotations. Nothing to learn from. */
  readonly otherwise: boolean;
  readonly sentences: readonly Features[];
}

interface Model {
  readonly weights: Float64Array;
  readonly bias: number;
}

function caseOf(sample: Sample, author: string, about = ""): Case {
  const sentences: Features[] = [];
  const reader: Reader = {
    read({ c, part, found, setting, previous, text }) {
      if (about !== "" && !text.includes(about) && !about.includes(text.trim())) return;
      const features: Features = { ids: [], shares: [] };
      featuresOf(c, part, found, setting, previous, (id, share) => {
        features.ids.push(id);
        features.shares.push(share);
      });
      sentences.push(features);
    },
    findings: () => [],
  };
  examineTool(sample.tool, reader);
  if (sample.instructions !== undefined) examineInstructions(sample.instructions, reader);
  const report = scanSample(sample, () => ({ read: () => {}, findings: () => [] }));
  const otherwise = report.findings.some(
    ({ rule, severity }) =>
      /^(?:unicode|encoded|confusable|alike|annotations|layout)/.test(rule) &&
      severity !== "low" &&
      severity !== "info",
  );
  return {
    sample,
    author,
    poisoned: sample.label === "poisoned",
    flagged: report.verdict !== "clean",
    otherwise: about === "" && otherwise,
    sentences,
  };
}

/** Ordinary tools of public servers, in four parts. */
function publicCases(): Case[] {
  return [...livemcpTools()]
    .flatMap(([server, raws]) =>
      raws.flatMap((raw) => {
        const tool = readListedTool(raw);
        if (typeof tool === "string") return [];
        const { definition } = tool;
        return [{ id: `${server}:${definition.name}`, label: "benign" as const, lang: "en", server, tool: definition }];
      }),
    )
    .map((sample, i) => caseOf(sample, `public-${i % 4}`));
}

/** Single sentences (`sentences.jsonl`), each set into a public tool; only the sentence counts. */
function sentenceCases(hosts: readonly Sample[]): Case[] {
  const lines = readFileSync("test/data/poisoned/sentences.jsonl", "utf8").trim().split("\n");
  return lines.map((line, i) => {
    const { label, lang, parameter, text } = JSON.parse(line) as {
      label: Sample["label"];
      lang: string;
      parameter?: string;
      text: string;
    };
    const { tool } = hosts[(i * 7) % hosts.length]!;
    const named = parameter ?? /`([^`]+)`/.exec(text)?.[1];
    const properties = {
      ...(tool.inputSchema as { properties?: object }).properties,
      ...(named !== undefined && {
        [named]: { type: "string", ...(parameter !== undefined && { description: text }) },
      }),
    };
    const description = parameter === undefined ? `${tool.description.replace(/\.?$/, ".")} ${text}` : tool.description;
    const host = { ...tool, description, inputSchema: { ...tool.inputSchema, properties } };
    return caseOf({ id: `sentence-${i}`, label, lang, server: "host", tool: host }, "sentences", text);
  });
}

/**
 * Logistic regression where a tool is as suspicious as its most suspicious sentences (a smooth maximum), by full
 * gradients (Adam), beginning at zero.
 */
function train(cases: readonly Case[]): Model {
  const used = cases.filter(({ poisoned, otherwise, sentences }) => sentences.length > 0 && !(poisoned && otherwise));
  const weights = new Float64Array(FEATURES);
  const gradient = new Float64Array(FEATURES);
  const mean = new Float64Array(FEATURES + 1);
  const square = new Float64Array(FEATURES + 1);
  let bias = -1;
  for (let round = 1; round <= ROUNDS; round++) {
    gradient.fill(0);
    let ofBias = 0;
    for (const { poisoned, sentences } of used) {
      const sums = sentences.map((sentence) => weigh({ weights, bias }, sentence));
      const most = Math.max(...sums);
      const parts = sums.map((sum) => Math.exp(SHARPNESS * (sum - most)));
      const whole = parts.reduce((a, b) => a + b, 0);
      const sum = most + Math.log(whole) / SHARPNESS;
      const error = 1 / (1 + Math.exp(-sum)) - Number(poisoned);
      for (const [i, { ids, shares }] of sentences.entries()) {
        const pull = (error * parts[i]!) / whole;
        if (Math.abs(pull) < 1e-7) continue;
        for (let j = 0; j < ids.length; j++) gradient[ids[j]!]! += pull * shares[j]!;
        ofBias += pull;
      }
    }
    const step = (i: number, slope: number, least: number) => {
      mean[i] = 0.9 * mean[i]! + 0.1 * slope;
      square[i] = 0.99 * square[i]! + 0.01 * slope * slope;
      const rate = RATE * (1 - (0.9 * round) / ROUNDS);
      return (rate * (mean[i]! / (1 - 0.9 ** round))) / (Math.sqrt(square[i]! / (1 - 0.99 ** round)) + least);
    };
    for (let i = 0; i < FEATURES; i++) {
      const slope = (gradient[i]! + L2 * weights[i]!) / used.length;
      if (slope !== 0) weights[i]! -= step(i, slope, 1e-4);
    }
    bias -= step(FEATURES, ofBias / used.length, 1e-8);
  }
  return { weights, bias };
}

function weigh({ weights, bias }: Model, { ids, shares }: Features): number {
  let sum = bias;
  for (let j = 0; j < ids.length; j++) sum += weights[ids[j]!]! * shares[j]!;
  return sum;
}

function most(model: Model, { sentences }: Case): number {
  return Math.max(-99, ...sentences.map((sentence) => weigh(model, sentence)));
}

interface Judged extends Case {
  readonly weight: number;
}

/** The lowest weight beyond which no more ordinary tools are flagged than allowed. */
function thresholdOf(judged: readonly Judged[]): number {
  const beyond = (cases: readonly Judged[], allowed: number) => {
    const weights = cases.flatMap(({ flagged, weight }) => (flagged ? [] : [weight])).sort((a, b) => b - a);
    return weights[Math.floor(allowed * cases.length)] ?? 0;
  };
  const ordinary = judged.filter(({ poisoned }) => !poisoned);
  return Math.max(
    beyond(
      ordinary.filter(({ author }) => JUDGED.includes(author)),
      ALLOWED,
    ),
    beyond(
      ordinary.filter(({ author }) => author.startsWith("public")),
      ALLOWED_PUBLIC,
    ),
  );
}

function print(title: string, judged: readonly Judged[], threshold: number) {
  const share = (cases: readonly Judged[], test: (c: Judged) => boolean) =>
    cases.length === 0 ? "   -" : (cases.filter(test).length / cases.length).toFixed(3);
  const [poisoned, ordinary] = [judged.filter((c) => c.poisoned), judged.filter((c) => !c.poisoned)];
  const both = (c: Judged) => c.flagged || c.weight >= threshold;
  console.log(
    `${title.padEnd(28)} recall ${share(poisoned, (c) => c.flagged)} -> ${share(poisoned, both)} of ${poisoned.length}; ` +
      `false positives ${share(ordinary, (c) => c.flagged)} -> ${share(ordinary, both)} of ${ordinary.length}`,
  );
}

function printBy(judged: readonly Judged[], member: "class" | "lang", threshold: number) {
  const of = ({ sample }: Judged) => sample[member] ?? "";
  for (const key of [...new Set(judged.map(of))].sort())
    print(
      `  ${key}`,
      judged.filter((c) => of(c) === key),
      threshold,
    );
}

/** Of the numbers: `bias` is added to each sum, `scale` is what one step of a weight is worth. */
const ABOUT =
  "Written by test/bench/train-scan.ts. Do not edit. A sentence is reported when bias + scale * (the sum of its features' weights) reaches the threshold; weights: one signed byte for each feature, in base64.";

function write({ weights, bias }: Model, threshold: number) {
  const largest = weights.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const scale = largest / 127;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  writeFileSync(
    "lib/modules/scan/rules/model/weights.json",
    `${JSON.stringify(
      {
        about: ABOUT,
        bias: Number(bias.toFixed(4)),
        scale: Number(scale.toFixed(6)),
        threshold: Number(threshold.toFixed(3)),
        weights: Buffer.from(bytes.buffer).toString("base64"),
      },
      null,
      2,
    )}\n`,
  );
}

const sets = Object.entries(AUTHORS).flatMap(([author, parts]) =>
  parts.flatMap((part) => samples(part).map((sample) => caseOf(sample, author))),
);
const ordinary = publicCases();
const sentences = sentenceCases(
  ordinary.map(({ sample }) => sample).filter(({ tool }) => /^[^.\n]{20,160}\.?$/.test(tool.description ?? "")),
);
const all = [...sets, ...ordinary, ...sentences];

const judged = Object.keys(AUTHORS).flatMap((author, i) => {
  const leftOut = (c: Case) => c.author === author || c.author === `public-${i}`;
  const model = train(all.filter((c) => !leftOut(c)));
  return all.filter(leftOut).map((c) => ({ ...c, weight: most(model, c) }));
});
const threshold = thresholdOf(judged);
console.log(`threshold ${threshold.toFixed(3)}`);
for (const author of Object.keys(AUTHORS))
  print(
    author,
    judged.filter((c) => c.author === author),
    threshold,
  );
print(
  "public",
  judged.filter((c) => c.author.startsWith("public")),
  threshold,
);
// The last set judges a threshold that is taken from the others.
const before = thresholdOf(judged.filter((c) => c.author !== "others-2"));
print(
  `others-2 at ${before.toFixed(3)}`,
  judged.filter((c) => c.author === "others-2"),
  before,
);
const byOthers = judged.filter((c) => JUDGED.includes(c.author));
printBy(byOthers, "class", threshold);
printBy(byOthers, "lang", threshold);
if (process.argv.includes("--write")) write(train(all), threshold);
if (process.argv.includes("--misses"))
  for (const { sample, author, poisoned, flagged, weight } of judged)
    if (JUDGED.includes(author) && poisoned !== (flagged || weight >= threshold))
      console.log(poisoned ? "missed" : "wrong", sample.id, sample.class, sample.lang, flagged, weight.toFixed(2));
