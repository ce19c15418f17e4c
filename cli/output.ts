import { systemClock } from "#lib/core/base/clock.ts";
import type { Globals } from "./args.ts";
import { plain, renderTable, type Table, type TablePaint } from "./table.ts";

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
        const terminal = out.columns === undefined ? undefined : { columns: out.columns, now: now() };
        out.write(
          `${typeof shape === "string" ? plain(shape) : renderTable(shape, terminal, out.color ? PAINT : undefined)}\n`,
        );
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

const PAINT: TablePaint = {
  heading: (text) => `\x1b[1m${text}\x1b[22m`,
  state(text, word) {
    const colour = STATE_COLOURS.find(([, words]) => words.test(word))?.[0];
    return colour === undefined ? text : `\x1b[${colour}m${text}\x1b[39m`;
  },
};

/** Colours of states, by words in the cell; the gravest first: red, yellow, green. */
const STATE_COLOURS: readonly (readonly [colour: number, words: RegExp])[] = [
  [31, /\b(?:error|failed|failure|unhealthy|dangerous|blocked|rejected|denied|critical|high|expired)\b/],
  [33, /\b(?:quarantined|pending|changed|held|degraded|suspicious|warning|warn|medium|connecting|disconnected)\b/],
  [32, /\b(?:ready|ok|success|healthy|approved|clean|active|connected|yes)\b/],
];

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
