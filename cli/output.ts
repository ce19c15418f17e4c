import { systemClock } from "#lib/core/base/clock.ts";
import type { Globals } from "./args.ts";
import { plain, renderTable, type Table } from "./table.ts";

export interface Output {
  /** The result, on standard output: JSON or YAML as it is, else the table or text that `human` makes of it. */
  show<T>(value: T, human: (value: T) => Table | string): Promise<void>;
  /** A remark for people, on standard error; silent in json and yaml mode. */
  note(text: string): void;
  /** A remark that somebody who reads JSON or YAML needs as well, on standard error in every mode. */
  hint(text: string): void;
}

export interface Screen {
  write(text: string): void;
  /** Columns of the terminal; undefined when it is none. */
  columns?: number;
  /** Its lines; undefined when it is none. */
  rows?: number;
  color: boolean;
}

export function output(form: Globals["output"], out: Screen, err: Screen, now = systemClock.now): Output {
  return {
    async show(value, human) {
      if (form === "table") {
        const shown = human(value);
        const strong = (text: string) => (out.color ? `\x1b[1m${text}\x1b[22m` : text);
        const terminal = out.columns === undefined ? undefined : { columns: out.columns, now: now() };
        out.write(`${typeof shown === "string" ? plain(shown) : renderTable(shown, terminal, strong)}\n`);
      } else out.write(await data(form, value));
    },
    note(text) {
      if (form === "table") err.write(`${plain(text)}\n`);
    },
    hint(text) {
      err.write(`${plain(text)}\n`);
    },
  };
}

/** What steers a terminal, or changes the direction of the text around it, and stands unescaped in JSON. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Two-space JSON or YAML with a line end, safe to be shown by a terminal. */
export async function data(form: "json" | "yaml", value: unknown): Promise<string> {
  return form === "yaml" ? await yamlText(value) : `${jsonText(value, 2)}\n`;
}

/** JSON that a terminal can be shown. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value ?? null, null, indent).replace(UNSAFE, escaped);
}

/** Only double-quoted scalars have escapes, so texts with unsafe characters become such. */
async function yamlText(value: unknown): Promise<string> {
  const { Document, visit } = await import("yaml");
  const document = new Document(value ?? null);
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && scalar.value.search(UNSAFE) >= 0) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 }).replace(UNSAFE, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
