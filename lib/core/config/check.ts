import * as v from "valibot";
import { isJsonObject } from "../base/json-object.ts";
import { type Path, pathText } from "../base/path.ts";
import { issuePath, plainIssueText, valueKind } from "../schema/issue.ts";
import { checkUnknownKeys } from "./check-unknown-keys.ts";
import { type Config, configDocument } from "./config-keys.ts";

/** One error in a document. `text` is a complete message that names the path. */
interface ConfigProblem {
  path: Path;
  field: string;
  message: string;
  text: string;
}

type CheckedConfig =
  | { ok: true; config: Config; unknown: readonly string[] }
  | { ok: false; problems: readonly [ConfigProblem, ...ConfigProblem[]] };

/** Checks a document against the schema. Returns the document with defaults, or all its errors in document order. */
export function checkConfig(document: unknown): CheckedConfig {
  if (!isJsonObject(document))
    return refused([problem([], `the document must be an object, not ${valueKind(document)}`)]);
  const { output, unknown, problems } = check(configDocument(), document);
  return problems.length === 0 ? { ok: true, config: output as Config, unknown } : refused(problems);
}

/** Checks a part of a document, such as one server, and returns the message of its first error. */
export function checkValue(schema: v.GenericSchema, value: unknown): string | undefined {
  return check(schema, value).problems[0]?.text;
}

function check(schema: v.GenericSchema, value: unknown) {
  const { meant, unknown, problems } = checkUnknownKeys(schema, value);
  const parsed = v.safeParse(schema, meant, { message: plainIssueText });
  const all = [
    ...problems.map((p) => problem(p.path, p.message)),
    ...(parsed.issues ?? []).map((issue) => problem(issuePath(issue), issue.message)),
  ];
  return { output: parsed.output, unknown, problems: all };
}

const refused = (problems: ConfigProblem[]): CheckedConfig => ({
  ok: false,
  problems: problems as [ConfigProblem, ...ConfigProblem[]],
});

/** Makes the error for a path. A message that names its own path, such as that of trusted_proxies, gets no prefix. */
function problem(path: Path, message: string): ConfigProblem {
  const field = pathText(path);
  const complete = field === "" || message.startsWith(`${field} `);
  return { path, field, message, text: complete ? message : `${field}: ${message}` };
}
