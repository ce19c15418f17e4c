import { isJsonObject, type JsonObject } from "../json-object.ts";
import type { SchemaProblem } from "./validation-run.ts";

/** Maximum number of problems reported at once. */
const MAX_TOLD = 5;
/** Maximum length of one schema, and of all schemas together (characters). */
const MAX_SCHEMA = 600;
const MAX_SCHEMAS = 1800;
/** Schemas that are nested deeper are not shown. */
const MAX_DEPTH = 8;
/** Maximum length of a list of names, and of a path (characters). */
const MAX_NAMES = 600;
const MAX_PATH = 200;

/** Describes what is wrong with a value and what was expected, in texts of bounded length. */
interface ProblemExplanation {
  /** The path of each invalid part, and what was expected there. */
  readonly problems: { field: string; message: string }[];
  /** The problems as one text, with the number of omitted ones. */
  readonly text: string;
  /** The relevant parts of the schema as one text; undefined if they are too large. */
  readonly expected: string | undefined;
}

/**
 * Explains the problems of a value and the schema that it violates.
 *
 * @param whole name for the value as a whole, used for problems that concern all of it
 */
export function explainProblems(problems: readonly SchemaProblem[], whole: string): ProblemExplanation {
  const told = problems
    .slice(0, MAX_TOLD)
    .map((problem) => ({ problem, field: memberPathText(problem.path) || whole }));
  const left = problems.length - told.length;
  const sentences = told.map(({ problem, field }) => `${field} ${problem.message}`);
  if (left > 0) sentences.push(`and ${left} more`);
  return {
    problems: told.map(({ problem, field }) => ({ field, message: problem.message })),
    text: sentences.join("; "),
    expected: expectedText(told),
  };
}

/** Writes a path as in a program: `filters[0].name`. */
function memberPathText(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) text += text === "" ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
    if (text.length > MAX_PATH) return `${text.slice(0, MAX_PATH)}…`;
  }
  return text;
}

function expectedText(told: readonly { problem: SchemaProblem; field: string }[]): string | undefined {
  const parts = new Map<string, string>();
  let length = 0;
  for (const { problem, field } of told) {
    const [key, text] = partOf(problem, field);
    if (text === undefined || parts.has(key) || length + text.length > MAX_SCHEMAS) continue;
    length += text.length;
    parts.set(key, text);
  }
  return parts.size === 0 ? undefined : [...parts].map(([key, text]) => `${key}: ${text}`).join("; ");
}

/** Returns the part of the schema that a problem violates, and a name for it. */
function partOf({ keyword, path, schema }: SchemaProblem, field: string): [string, string | undefined] {
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const parent = memberPathText(path.slice(0, -1));
    const names = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
    return [parent === "" ? "properties" : `properties of ${parent}`, nameList(names)];
  }
  if (keyword !== "required") return [field, schemaText(schema)];
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  const name = String(path.at(-1));
  return [
    field,
    isJsonObject(properties) && Object.hasOwn(properties, name) ? schemaText(properties[name]) : undefined,
  ];
}

function nameList(names: JsonObject): string {
  let text = "";
  for (const name in names) {
    const next = text === "" ? name : `${text}, ${name}`;
    if (next.length > MAX_NAMES) return `${text}, …`;
    text = next;
  }
  return text === "" ? "none" : text;
}

/**
 * Returns a schema as JSON; undefined if it is too long. The size is estimated first, because the schema may be huge.
 */
function schemaText(schema: unknown): string | undefined {
  if (sizeOf(schema, MAX_DEPTH, MAX_SCHEMA) > MAX_SCHEMA) return undefined;
  const text = JSON.stringify(schema);
  return text.length > MAX_SCHEMA ? undefined : text;
}

/** Returns a lower bound for the length of a value as JSON; stops counting beyond `enough`. */
function sizeOf(value: unknown, depth: number, enough: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  if (depth === 0) return enough + 1;
  let size = 2;
  for (const key in value) {
    size += (Array.isArray(value) ? 1 : key.length + 3) + sizeOf((value as JsonObject)[key], depth - 1, enough);
    if (size > enough) return size;
  }
  return size;
}
