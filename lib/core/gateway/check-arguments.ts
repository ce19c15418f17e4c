import { LRUCache } from "lru-cache";
import { type App, part } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { compileSchema, type SchemaValidation } from "../base/json-schema/compile.ts";
import { explainProblems } from "../base/json-schema/explain.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import type { ArgumentsNote } from "../schema/arguments-note.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { ToolRow } from "../schema/tool.ts";

interface CheckedArguments {
  note: ArgumentsNote;
  /** Set if the call must be rejected. */
  fault?: Fault;
}

/** Maximum number of cached compiled schemas; compiling one again takes microseconds. */
const MAX_KEPT = 500;

type Validator = (value: unknown) => SchemaValidation;

/** Compiled schemas by the tool's pin, which covers the schema. */
const validators = part("argumentValidators", () => new LRUCache<string, Validator>({ max: MAX_KEPT }));

/**
 * Checks a call's arguments against the tool's input schema, the one that its pin and approval cover.
 *
 * If `validate_arguments` is not set, a mismatch with a closed schema (`additionalProperties: false`) rejects the call;
 * any
 * other mismatch is only recorded, because many servers accept more than their schema states. Arguments that cannot be
 * checked are sent, because the server checks them in any case.
 *
 * @returns undefined if there is nothing to report
 */
export function checkArguments(
  app: Pick<App, "config" | "part">,
  server: ServerConfig,
  tool: ToolRow,
  args: McpObject,
): CheckedArguments | undefined {
  const setting = server.validate_arguments ?? app.config.current().validate_arguments;
  if (setting === "off") return undefined;
  const { problems, unchecked } = validatorOf(app, tool)(args);
  if (problems.length === 0) return unchecked === undefined ? undefined : { note: { arguments_unchecked: unchecked } };
  const { problems: told, text, expected } = explainProblems(problems, "the object of arguments");
  const enforced = setting === "enforce" || (setting === undefined && tool.inputSchema.additionalProperties === false);
  if (enforced)
    return { note: {}, fault: new Fault("arguments_mismatch", { id: tool.id, text, expected, problems: told }) };
  return { note: { argument_problems: told.map(({ field, message }) => `${field} ${message}`) } };
}

function validatorOf(app: Pick<App, "part">, { hash, inputSchema }: ToolRow): Validator {
  const kept = app.part(validators);
  const known = kept.get(hash);
  if (known) return known;
  const validator = compileSchema(inputSchema);
  kept.set(hash, validator);
  return validator;
}
