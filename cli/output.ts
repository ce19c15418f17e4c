import { systemClock } from "#lib/core/base/clock.ts";
import type { Globals } from "./args.ts";
import { plain, renderTable, type Table } from "./table.ts";

export interface Output {
  /** Prints the result on standard output: as JSON or YAML, or as the table or text that `human` returns. */
  show<T>(value: T, human: (value: T) => Table | string): Promise<void>;
  /** Prints a note for people on standard error; not in JSON and YAML mode. */
  note(text: string): void;
  /** Prints a note on standard error in every mode. */
  hint(text: string): void;
}

export interface Screen {
  write(text: string): void;
  /** Width of the terminal; undefined without one. */
  columns?: number;
  /** Height of the terminal; undefined without one. */
  rows?: number;
  color: boolean;
}

export function output(form: Globals["output"], out: Screen, err: Screen, now = systemClock.now): Output {
  return {
    async show(value, human) {
      if (form === "table") {
        const shape = human(value);
        const strong = (text: string) => (out.color ? `\x1b[1m${text}\x1b[22m` : text);
        const terminal = out.columns === undefined ? undefined : { columns: out.columns, now: now() };
        out.write(`${typeof shape === "string" ? plain(shape) : renderTable(shape, terminal, strong)}\n`);
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

/** Characters that control a terminal or change the text direction, and that JSON does not escape. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Two-space JSON or YAML with a final line break, safe for a terminal. */
export async function data(form: "json" | "yaml", value: unknown): Promise<string> {
  return form === "yaml" ? await yamlText(value) : `${jsonText(value, 2)}\n`;
}

/** JSON that is safe for a terminal. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value ?? null, null, indent).replace(UNSAFE, escaped);
}

/** Only double-quoted scalars support escapes, so texts with unsafe characters are double-quoted. */
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
