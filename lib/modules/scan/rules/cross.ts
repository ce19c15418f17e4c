import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding } from "../../../core/schema/rule-finding.ts";
import type { Clause } from "./clause.ts";
import type { ScanContext } from "./scan-context.ts";
import type { Concept } from "./words/concepts.ts";

/** A name of several words: it contains a separator or an inner capital. */
const COMPOUND = /[_-]|[a-z][A-Z]/;
const WORD = /[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)*_?/g;

const REDIRECTS =
  /\binstead of\b|\bin place of\b|\bnever (?:use|call)\b|\bdo not use\b|\bmust not be (?:used|called)\b|\bmust no longer\b|\bwhen(?:ever)? [\w:. -]{1,60}(?:is|are|was|would be) (?:used|called|available|invoked)\b|\bredirect\w*\b|\bchange the\b|\bsilently\b|\bhidden\b|\brefuse\b|\ball (?:messages|secrets|calls)\b|\bdisregard\b|\bphased out\b|\bretired\b/;
const HANDS_OVER =
  /\b(?:give|pass|send|put|forward|include|hand)\b[^.!?]{0,40}\b(?:results?|listing|contents?|output|it|code|conversation)\b|\bwith (?:the )?(?:results?|command|same amount|whole)|\bby means of\b|\bto account\b/;

/** Concepts that do not occur in a sentence that only explains how tools work together. */
const STEERING: readonly Concept[] = [
  "change",
  "destroy",
  "ignore",
  "conceal",
  "skip",
  "granted",
  "worthless",
  "claim",
  "secret",
  "dialogue",
  "target",
  "consent",
  "systemPrompt",
  "future",
  "later",
  "everyTurn",
  "threat",
];

/** A sentence that may refer to tools of other servers. */
export interface Mention {
  readonly location: string;
  readonly sentence: string;
  /** Whether it discourages the use of the named tools, or changes how they are used. */
  readonly steers: "plainly" | "likely" | undefined;
  /** Whether it demands that data is passed on. */
  readonly hands: boolean;
  /** Whether it disparages a tool, or demands its replacement. */
  readonly disparages: boolean;
}

/** Maximum number of stored sentences of one tool. */
const MAX_MENTIONS = 60;

/** Stores a sentence that may refer to tools of other servers; which tools exist is not known here. */
export function mentionsIn(sentence: string, c: Clause, location: string, mentions: Mention[]): void {
  if (mentions.length >= MAX_MENTIONS) return;
  const compound = COMPOUND.test(sentence);
  const plainly = c.matches(REDIRECTS);
  const likely =
    !c.place.opening &&
    (STEERING.some((concept) => c.has(concept) && !c.denied(concept)) ||
      (compound && (c.fixedValue || c.address)) ||
      (c.has("always") && c.has("oblige")) ||
      (c.has("everything") && (c.has("put") || c.has("send"))));
  if (!plainly && !likely && !compound) return;
  mentions.push({
    location,
    sentence,
    steers: plainly ? "plainly" : likely ? "likely" : undefined,
    hands: c.matches(HANDS_OVER),
    disparages:
      c.has("worthless") ||
      c.matches(REDIRECTS) ||
      (c.has("ignore") && !c.denied("ignore")) ||
      c.near("priority", "call", 40),
  });
}

/**
 * References to tools of other servers (rule `cross.*`): naming one has low severity, influencing its use a higher one.
 */
export function crossOf(mentions: readonly Mention[], { server, own, foreign }: ScanContext): RuleFinding[] {
  const found: RuleFinding[] = [];
  for (const { sentence, location, steers, hands, disparages } of mentions) {
    let words: Set<string> | undefined;
    for (const { 0: name, index } of sentence.matchAll(WORD)) {
      const servers = foreign.get(name)?.filter((one) => one !== server);
      if (!servers || servers.length === 0) continue;
      // A single word counts as a tool's name only if its server is also named.
      words ??= new Set(sentence.toLowerCase().match(/[\p{L}\p{N}_-]+/gu));
      const theirs = servers.some((one) => one.toLowerCase() !== name.toLowerCase() && words?.has(one.toLowerCase()));
      if (!COMPOUND.test(name) && !theirs) continue;
      const shared = own.has(name);
      if (shared && !theirs && !disparages) continue;
      const steered = shared ? disparages && "likely" : steers;
      found.push({
        rule: steered ? "cross.shadowing" : "cross.reference",
        severity: steered === "plainly" ? "high" : steered || hands ? "medium" : "low",
        location,
        excerpt: `${name} (${servers.slice(0, 3).join(", ")}): ${excerpt(sentence, index)}`,
        explanation: steered ? "influences the use of another server's tool" : "names another server's tool",
      });
    }
  }
  return found;
}
