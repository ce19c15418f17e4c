import { CONDUCT } from "./conduct.ts";
import { EXFILTRATION } from "./exfiltration.ts";
import { FORGERY } from "./forgery.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { Rule } from "./rule.ts";

/** Rules about markers and commands, applied to each sentence. */
export const MARKS: readonly Rule[] = FORGERY;
/** All rules, applied to sentences that name more than one concept. */
export const RULES: readonly Rule[] = [...INSTRUCTIONS, ...EXFILTRATION, ...CONDUCT, ...FORGERY];
