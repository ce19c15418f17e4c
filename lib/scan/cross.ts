import { excerpt } from "./excerpt.ts";
import type { Finding } from "./finding.ts";
import type { Clause } from "./clause.ts";

/** What is known around a tool: the names of its server's tools, and of everybody else's. */
export interface Surroundings {
  readonly own: ReadonlySet<string>;
  /** Servers that have a tool, by its name; its own server is not among them. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
}

export const ALONE: Surroundings = { own: new Set(), foreign: new Map() };

/** A name that is more than a word: it has a separator or a capital within. */
const NAME = /\b[a-z][a-z0-9]{0,60}(?:[_-][a-z0-9]{1,60}){1,8}\b|\b[a-z]{1,60}[A-Z][A-Za-z0-9]{0,60}\b/gi;

const REDIRECTS =
  /\binstead of\b|\bnever (?:use|call)\b|\bdo not use\b|\bmust not be (?:used|called)\b|\bwhen(?:ever)? [\w:. -]{1,60}(?:is|are|was|would be) (?:used|called|available|invoked)\b|\bredirect\w*\b|\bchange the\b|\b(?:un|in)(?:safe|secure)\b|\bcompromised\b|\bsilently\b|\bhidden\b|\bleaks?\b|\brefuse\b|\ball (?:messages|secrets|calls)\b|\bdisregard\b|\bignore\b/;
const HANDS_OVER =
  /\b(?:give|pass|send|put|forward|include|hand)\b[^.!?]{0,40}\b(?:results?|listing|contents?|output|it|code|conversation)\b|\bwith (?:the )?(?:results?|command|same amount|whole)|\bby means of\b|\bto account\b/;

/** A name in a text that may be that of a tool. */
export interface Mention {
  readonly name: string;
  readonly location: string;
  readonly excerpt: string;
  /** The sentence leads away from that tool, or changes how it is used. */
  readonly steers: boolean;
  /** The sentence has something handed to that tool. */
  readonly hands: boolean;
}

/** Most mentions kept of one tool. */
const MOST = 200;

/** Notes the names in a sentence that may be those of tools. */
export function mentionsIn(sentence: string, s: Clause, location: string, mentions: Mention[]): void {
  for (const { 0: name, index } of sentence.matchAll(NAME)) {
    if (mentions.length >= MOST) return;
    const at = excerpt(sentence, index);
    mentions.push({ name, location, excerpt: at, steers: s.matches(REDIRECTS), hands: s.matches(HANDS_OVER) });
  }
}

/** References to tools of other servers (rule `cross.*`): naming one is a low sign, steering its use a high one. */
export function crossOf(mentions: readonly Mention[], { own, foreign }: Surroundings): Finding[] {
  return mentions.flatMap(({ name, location, excerpt: at, steers, hands }) => {
    const servers = own.has(name) ? undefined : foreign.get(name);
    if (!servers) return [];
    return [
      {
        rule: steers ? "cross.shadowing" : "cross.reference",
        severity: steers ? ("high" as const) : hands ? ("medium" as const) : ("low" as const),
        location,
        excerpt: `${name} (${servers.slice(0, 3).join(", ")}): ${at}`,
        explanation: steers ? "steers the use of another server's tool" : "names another server's tool",
      },
    ];
  });
}
