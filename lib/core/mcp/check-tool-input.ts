import * as v from "valibot";
import { Fault } from "../base/fault.ts";
import { nearestWords } from "../base/nearest.ts";
import { issueText, plainIssueText } from "../schema/issue.ts";
import type { McpObject } from "../schema/mcp.ts";
import { unknownField } from "../schema/unknown-fields.ts";
import type { Tool } from "./tool.ts";

/** The arguments of a built-in tool as its schema reads them. @throws Fault invalid_args */
export function checkToolInput(tool: Tool, args: McpObject): unknown {
  const misspelt = unknownParameter(tool, args);
  if (misspelt !== undefined) throw new Fault("invalid_args", { reason: `${tool.name}: ${misspelt}` });
  const checked = v.safeParse(tool.spec.input, args, { message: plainIssueText });
  if (checked.success) return checked.output;
  const reasons = checked.issues.slice(0, 3).map((issue) => issueText([issue]));
  throw new Fault("invalid_args", { reason: `${tool.name}: ${reasons.join("; ")}` });
}

/** A parameter that the tool does not take would be ignored, which a model takes for obedience. */
function unknownParameter({ spec, inputSchema }: Tool, args: McpObject): string | undefined {
  const known = Object.keys((inputSchema.properties ?? {}) as object);
  const taken = new Set([...known, ...(spec.alsoTakes ?? [])]);
  const name = Object.keys(args).find((key) => !taken.has(key));
  if (name === undefined) return unknownField(spec.input, args);
  const [near] = name.length <= MAX_NAME_CHARACTERS ? nearestWords(name, taken, 1) : [];
  const shown = name.slice(0, MAX_NAME_CHARACTERS);
  return `unknown parameter "${shown}"; allowed: ${known.join(", ") || "none"}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** Of a parameter's name that is compared and quoted (characters). */
const MAX_NAME_CHARACTERS = 100;
