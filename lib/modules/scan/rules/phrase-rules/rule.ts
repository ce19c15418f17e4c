import type { RuleSeverity } from "../../../../core/schema/rule-finding.ts";
import type { Clause } from "../clause.ts";
import type { Concept } from "../words/concepts.ts";

/** One kind of thing that a description says to a model rather than about a tool. */
export interface Rule {
  readonly rule: string;
  readonly explanation: string;
  /** How much it says in this sentence, or nothing. Asked of each sentence. */
  readonly severity: (c: Clause) => RuleSeverity | undefined | false;
}

/** Acts that take something out: into an argument, an answer, or to an address. */
export const OUT: readonly Concept[] = ["send", "put"];
/** Acts by which something comes into a model's hands. */
export const IN: readonly Concept[] = ["read", "collect"];
export const ACTS: readonly Concept[] = ["send", "put", "read", "collect", "run", "call", "change", "destroy"];
/** What is not the tool's to have. */
export const VALUABLES: readonly Concept[] = ["secret", "dialogue", "systemPrompt", "personal", "files"];
