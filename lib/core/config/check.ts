import * as v from "valibot";
import { isObject } from "../base/merge.ts";
import { type Path, pathText } from "../base/path.ts";
import { inOurWords, kindOf, pathOf } from "../schema/issue.ts";
import { Config } from "./schema.ts";
import { survey } from "./survey.ts";

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
