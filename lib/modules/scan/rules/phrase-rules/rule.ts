import type { RuleSeverity } from "../../../../core/schema/rule-finding.ts";
import type { Clause } from "../clause.ts";
import type { Concept } from "../words/concepts.ts";

/** A rule for sentences that address a model rather than describe a tool. */
export interface Rule {
  readonly rule: string;
  readonly explanation: string;
  /** The severity of its finding in this sentence, if it matches. */
  readonly severity: (c: Clause) => RuleSeverity | undefined | false;
}

/** Acts that move data out: into an argument, an answer, or to an address. */
export const OUT: readonly Concept[] = ["send", "put"];
/** Acts by which a model obtains data. */
export const IN: readonly Concept[] = ["read", "collect"];
export const ACTS: readonly Concept[] = ["send", "put", "read", "collect", "run", "call", "change", "destroy"];
/** Data that a tool should not get. */
export const VALUABLES: readonly Concept[] = ["secret", "dialogue", "systemPrompt", "personal", "files"];
