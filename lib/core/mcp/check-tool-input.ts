import * as v from "valibot";
import { Fault } from "../base/fault.ts";
import { nearestWords } from "../base/nearest.ts";
import { issueText, plainIssueText } from "../schema/issue.ts";
import type { McpObject } from "../schema/mcp.ts";
import { unknownField } from "../schema/unknown-fields.ts";
import type { Tool } from "./tool.ts";

/** Returns the arguments of a built-in tool as its schema parses them. @throws Fault invalid_args */
export function checkToolInput(tool: Tool, args: McpObject): unknown {
  const misspelt = unknownParameter(tool, args);
  if (misspelt !== undefined) throw new Fault("invalid_args", { reason: `${tool.name}: ${misspelt}` });
  const checked = v.safeParse(tool.spec.input, args, { message: plainIssueText });
  if (checked.success) return checked.output;
  const reasons = checked.issues.slice(0, 3).map((issue) => issueText([issue]));
  throw new Fault("invalid_args", { reason: `${tool.name}: ${reasons.join("; ")}` });
}

/** Finds a parameter that the tool does not have. If it were ignored, a model would believe that it had an effect. */
function unknownParameter({ spec, inputSchema }: Tool, args: McpObject): string | undefined {
  const known = Object.keys((inputSchema.properties ?? {}) as object);
  const taken = new Set([...known, ...(spec.alsoTakes ?? [])]);
  const name = Object.keys(args).find((key) => !taken.has(key));
  if (name === undefined) return unknownField(spec.input, args);
  const [near] = name.length <= MAX_NAME_CHARACTERS ? nearestWords(name, taken, 1) : [];
  const shown = name.slice(0, MAX_NAME_CHARACTERS);
  return `unknown parameter "${shown}"; allowed: ${known.join(", ") || "none"}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** Maximum length of a parameter's name that is quoted and compared with others (characters). */
const MAX_NAME_CHARACTERS = 100;
