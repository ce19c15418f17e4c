import { CONDUCT } from "./conduct.ts";
import { EXFILTRATION } from "./exfiltration.ts";
import { FORGERY } from "./forgery.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { Rule } from "./rule.ts";

/** All rules that are asked of each sentence. */
export const RULES: readonly Rule[] = [...INSTRUCTIONS, ...EXFILTRATION, ...CONDUCT, ...FORGERY];
