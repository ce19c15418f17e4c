import * as v from "valibot";
import { isObject } from "../base/merge.ts";
import { type Path, pathText } from "./path.ts";
import { Config } from "./schema.ts";
import { kindOf, survey } from "./survey.ts";

/** One thing wrong with a document. `text` names the place and is complete by itself. */
export interface ConfigProblem {
  path: Path;
  field: string;
  message: string;
  text: string;
}

export type Checked =
  | { ok: true; config: Config; unknown: readonly string[] }
  | { ok: false; problems: readonly [ConfigProblem, ...ConfigProblem[]] };

/** Reads a document against the schema: defaults filled in, or everything that is wrong, in document order. */
export function checkConfig(document: unknown): Checked {
  if (!isObject(document)) return refused([problem([], `the document must be an object, not ${kindOf(document)}`)]);
  const { output, unknown, problems } = check(Config, document);
  return problems.length === 0 ? { ok: true, config: output as Config, unknown } : refused(problems);
}

/** What is wrong with a part of a document, such as one server, by that part's schema. */
export function checkValue(schema: v.GenericSchema, value: unknown): string | undefined {
  return check(schema, value).problems[0]?.text;
}

function check(schema: v.GenericSchema, value: unknown) {
  const { meant, unknown, problems } = survey(schema, value);
  const parsed = v.safeParse(schema, meant, { message: inOurWords });
  const all = [
    ...problems.map((p) => problem(p.path, p.message)),
    ...(parsed.issues ?? []).map((issue) => problem(pathOf(issue), issue.message)),
  ];
  return { output: parsed.output, unknown, problems: all };
}

const refused = (problems: ConfigProblem[]): Checked => ({
  ok: false,
  problems: problems as [ConfigProblem, ...ConfigProblem[]],
});

/** Messages that name their place themselves, as the one for trusted_proxies does, stand alone. */
function problem(path: Path, message: string): ConfigProblem {
  const field = pathText(path);
  const complete = field === "" || message.startsWith(`${field} `);
  return { path, field, message, text: complete ? message : `${field}: ${message}` };
}

const pathOf = (issue: v.BaseIssue<unknown>): Path =>
  (issue.path ?? []).map((step) => (step as { key: unknown }).key as string | number);

/** Where something is wrong, as it is written: `tools[0].id`; empty for the whole. */
export const placeOf = (issue: v.BaseIssue<unknown>): string => pathText(pathOf(issue));

/** The schema library's own texts quote the value, which may be a secret. */
export function inOurWords(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== "schema") return issue.message;
  if (issue.input === undefined) return "is required";
  const wanted = WANTED[issue.type] ?? issue.expected?.toLowerCase() ?? issue.type;
  return `must be ${wanted}, not ${kindOf(issue.input)}`;
}

const WANTED: Record<string, string> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  record: "an object",
  loose_object: "an object",
  strict_object: "an object",
};
