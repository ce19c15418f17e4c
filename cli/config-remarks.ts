import { JsonTextError, parseJsonText } from "#lib/core/base/json-text.ts";
import { checkConfig, isEmptyText, unknownKey } from "#lib/read-config.ts";

interface Remark {
  line?: number;
  field: string;
  message: string;
}

/** The result of checking the text of a configuration file: every problem with its line, or else unknown keys. */
export interface ConfigRemarks {
  valid: boolean;
  errors: Remark[];
  warnings: Remark[];
}

export function configRemarks(text: string): ConfigRemarks {
  if (isEmptyText(text)) return { valid: false, errors: [{ field: "", message: "the file is empty" }], warnings: [] };
  try {
    const { value, lineOf } = parseJsonText(text);
    const checked = checkConfig(value);
    if (checked.ok) return { valid: true, errors: [], warnings: checked.unknown.map(unknownKey) };
    const errors = checked.problems.map(({ path, field, message }) => ({ line: lineOf(path), field, message }));
    return { valid: false, errors, warnings: [] };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { valid: false, errors: [{ line: error.line, field: "", message: error.message }], warnings: [] };
  }
}

/** One line for each problem and remark: `file:line: key message`. */
export function remarkLines(path: string, { errors, warnings }: ConfigRemarks): string[] {
  return [...errors, ...warnings].map(({ line, field, message }) => {
    const where = `${path}:${line === undefined ? "" : `${line}:`}`;
    return `${where} ${field === "" || message.startsWith(`${field} `) ? "" : `${field} `}${message}`;
  });
}
