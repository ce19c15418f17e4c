import { excerpt } from "../../../core/base/excerpt.ts";
import { runStepsToEnd } from "../../../core/base/loop-share.ts";
import {
  type RuleFinding,
  type RuleReport,
  type RuleSeverity,
  type ScannedText,
  sumUpRuleFindings,
  worstRuleFindings,
} from "../../../core/schema/rule-finding.ts";
import type { ToolDefinition } from "../../../core/schema/tool.ts";
import { alikeOf } from "./alike.ts";
import { contradictionsOf } from "./annotations.ts";
import { Clause, type Place } from "./clause.ts";
import { confusableIn } from "./confusable.ts";
import { crossOf, type Mention, mentionsIn } from "./cross.ts";
import { decodings } from "./decode.ts";
import { encodedIn } from "./encoded.ts";
import { layoutOf } from "./layout.ts";
import { type Setting, settingOf } from "./model/features.ts";
import { modelReader, type Reader } from "./model/reader.ts";
import { normalised, sentences } from "./normalise.ts";
import { asksFor } from "./parameters.ts";
import { partsOf } from "./parts.ts";
import { MARKS, RULES } from "./phrase-rules/index.ts";
import { type Named, NO_NEIGHBOURS, type ScanContext } from "./scan-context.ts";
import { NO_TOPIC, type Topic, topicOf, wordsOf } from "./topic.ts";
import { hiddenIn } from "./unicode.ts";

export type { RuleFinding, RuleReport, RuleSeverity, ScanVerdict } from "../../../core/schema/rule-finding.ts";
export type { ScanContext } from "./scan-context.ts";

/** The findings in a text that do not depend on other tools. Computed once for each text. */
export interface Examined {
  readonly findings: readonly RuleFinding[];
  /** Sentences that may refer to tools of other servers. */
  readonly mentions: readonly Mention[];
  /** The name and description that other tools are compared with; a server's instructions have none. */
  readonly named?: Named;
  readonly complete: boolean;
}

/** After this many findings, a text is not read further. */
const MAX_FINDINGS = 300;
/** Length of the part of a description that is compared with other servers' tools (characters). */
const MAX_COMPARED = 600;
/** Longest instructions of a server that are read (characters). */
const MAX_INSTRUCTIONS = 256 * 1024;

/**
 * Examines all texts of a tool that a model reads for signs of poisoning: hidden characters, orders to the model,
 * demands for secrecy, ways to send data out, encoded texts, look-alike names (spec 001 §3). Offline, pure, and linear
 * in the length of the texts.
 *
 * @param reader examines the sentences in addition to the rules; training of the model replaces it
 */
export function examineTool(tool: ToolDefinition, reader: Reader = modelReader()): Examined {
  return runStepsToEnd(examining(tool, reader));
}

/**
 * Examines a tool a few rules at a time, so that the caller can yield to the event loop: a long text takes a second.
 */
export function* examining(tool: ToolDefinition, reader: Reader = modelReader()): Generator<void, Examined> {
  const { parts, complete } = partsOf(tool);
  const subject = subjectOf(tool);
  const setting = settingOf(subject, tool.inputSchema);
  const examined = yield* examineParts(parts, complete, { topic: topicOf(tool), subject, setting, reader });
  const contradictions = contradictionsOf(tool);
  return { ...examined, findings: [...examined.findings, ...contradictions], named: namedOf(tool) };
}

/** What other tools are compared with. */
export const namedOf = ({ name, description }: ToolDefinition): Named => ({
  name,
  description: description.slice(0, MAX_COMPARED),
});

/** Examines the instructions that a server sends in `initialize`. */
export function examineInstructions(instructions: string, reader: Reader = modelReader()): Examined {
  const text = instructions.slice(0, MAX_INSTRUCTIONS);
  return runStepsToEnd(
    examineParts([{ location: "instructions", text, kind: "prose" }], text.length === instructions.length, {
      topic: NO_TOPIC,
      subject: "",
      setting: settingOf("", undefined),
      reader,
    }),
  );
}

/** Completes the findings of a text with the comparison to the tools that exist now. */
export function reportOf(
  { findings, mentions, complete, named }: Examined,
  around: ScanContext = NO_NEIGHBOURS,
): RuleReport {
  const cross =
    around.foreign.size === 0 ? [] : [...crossOf(mentions, around), ...(named ? alikeOf(named, around) : [])];
  return sumUpRuleFindings(cross.length === 0 ? findings : worstRuleFindings([...findings, ...cross]), complete);
}

/** The state of reading the parts of a tool. */
interface Reading {
  readonly topic: Topic;
  readonly subject: string;
  readonly setting: Setting;
  readonly reader: Reader;
}

function* examineParts(parts: readonly ScannedText[], complete: boolean, reading: Reading): Generator<void, Examined> {
  const { topic, subject, setting, reader } = reading;
  const findings: RuleFinding[] = [];
  const mentions: Mention[] = [];
  let read = complete;
  for (const part of [...parts, ...joined(parts)]) {
    yield;
    if (!isKnownBare(part)) {
      const hits = [...hiddenIn(part), ...confusableIn(part), ...layoutOf(part)];
      findings.push(...hits);
      yield;
      const decoded = decodings(part.text);
      if (decoded.length > 0)
        findings.push(
          ...(yield* encodedIn(part, decoded, topic, (text) =>
            ordersIn({ ...part, kind: "prose", text }, [], topic, HIDDEN),
          )),
        );
      else if (hits.length === 0) knowBare(part);
    }
    let previous: Clause | undefined;
    const orders = yield* ordersIn(part, mentions, topic, placeOf(part), (c, found, text) => {
      reader.read({ c, part, found, setting, previous, text });
      previous = c;
    });
    findings.push(...orders);
    if (isParameter(part.location)) findings.push(...asksFor(wordsOf(part.text), part.location, subject));
    if (findings.length <= MAX_FINDINGS) continue;
    read = false;
    break;
  }
  findings.push(...reader.findings());
  return { findings: worstRuleFindings(findings), mentions, complete: read };
}

const isParameter = (location: string) => location.startsWith("inputSchema") && location.endsWith(" (name)");

/** Short texts without any sign, cached: names and descriptions of parameters recur. */
const bare: Record<ScannedText["kind"], Set<string>> = { name: new Set(), prose: new Set(), value: new Set() };
const MAX_BARE = 10_000;
const MAX_BARE_CHARS = 200;

const isKnownBare = ({ kind, text }: ScannedText) => bare[kind].has(text);

function knowBare({ kind, text }: ScannedText): void {
  if (text.length > MAX_BARE_CHARS) return;
  if (bare[kind].size >= MAX_BARE) bare[kind].clear();
  bare[kind].add(text);
}

const HIDDEN: Place = { opening: false, returned: false, parameter: false, value: false };

function placeOf({ location, kind }: ScannedText): Place {
  return {
    opening: location === "description" || location === "title" || location === "name",
    returned: location.startsWith("outputSchema"),
    parameter: location.startsWith("inputSchema"),
    value: (kind === "value" && !/\.examples?\b/.test(location)) || location.endsWith(".$comment"),
  };
}

/** Longest joined text (characters). */
const MAX_JOINED = 4096;

/**
 * Joins adjacent texts and reads them again as one, for a sentence split over parameters or an encoding split over
 * values.
 */
function joined(parts: readonly ScannedText[]): ScannedText[] {
  const made: ScannedText[] = [];
  let run: ScannedText[] = [];
  const close = () => {
    if (run.length > 1) {
      const text = run
        .map((part) => part.text.trim().replace(/^(?:\.{3}|…)|(?:\.{3}|…)$/g, ""))
        .join(" ")
        .slice(0, MAX_JOINED);
      made.push({ location: run[0]!.location, text, kind: "prose" });
    }
    run = [];
  };
  for (const part of parts) {
    if (part.kind !== "prose" || !part.location.endsWith(".description")) continue;
    const last = run.at(-1);
    const goesOn =
      last &&
      !/[.!?:;)\]。！？]\s*$/.test(last.text) &&
      /^\s*(?:\p{Ll}|…|\.\.\.|,)/u.test(part.text) &&
      (/(?:\.{3}|…|,)\s*$/.test(last.text) ||
        /\b(?:and|the|to|of|all|your|into|with|then|from|as|in|previous|any|or|not|it|this|for)\s*$/i.test(last.text) ||
        /^\s*(?:\.{3}|…|,|and\b|then\b|instructions\b|to the\b)/.test(part.text));
    if (!goesOn) close();
    run.push(part);
  }
  close();
  const values = parts.filter(({ kind, text }) => kind === "value" && /^[A-Za-z0-9+/_=-]{6,}$/.test(text));
  if (values.length > 1)
    made.push({
      location: values[0]!.location,
      text: values
        .map(({ text }) => text)
        .join("")
        .slice(0, MAX_JOINED),
      kind: "value",
    });
  return made;
}

function subjectOf(tool: ToolDefinition): string {
  const opening = (tool.description ?? "").slice(0, 240).split(/(?<=[.!?。！？])\s|\n/, 1)[0] ?? "";
  return `${wordsOf(tool.name)} ${normalised(opening)}`;
}

/** V8 compiles an expression when it is used first, so that all rules take 15 to 30 ms for the first sentences. */
const RULES_PER_STEP = 4;

/** Finds orders to a model in the sentences of a text. `each` is called with every sentence and its findings. */
function* ordersIn(
  { location, text, kind }: ScannedText,
  mentions: Mention[],
  topic: Topic,
  place: Place,
  each?: (c: Clause, found: readonly RuleFinding[], sentence: string) => void,
): Generator<void, RuleFinding[]> {
  const findings: RuleFinding[] = [];
  const plain = kind === "name" ? wordsOf(text) : text;
  const elsewhere = { ...place, opening: false };
  const start = plain.search(/\S/);
  for (const { at, sentence } of sentences(plain)) {
    const c = new Clause(normalised(sentence), topic, at === start ? place : elsewhere);
    const about = c.aboutAttacks;
    const before = findings.length;
    let applied = 0;
    for (const { rule, explanation, severity } of c.plain ? MARKS : RULES) {
      if (++applied % RULES_PER_STEP === 0) yield;
      const grave = severity(c);
      if (!grave) continue;
      findings.push({
        rule,
        severity: !about ? grave : lessened(grave),
        location,
        excerpt: excerpt(sentence),
        explanation: about ? `${explanation}; it seems to describe this rather than to do it` : explanation,
      });
    }
    yield;
    each?.(c, findings.slice(before), sentence);
    if (kind === "prose") mentionsIn(sentence, c, location, mentions);
    yield;
  }
  return worstRuleFindings(findings);
}

function lessened(severity: RuleSeverity): RuleSeverity {
  return severity === "critical" ? "medium" : "info";
}
