import { systemClock } from "#lib/base/clock.ts";
import type { Globals } from "./args.ts";
import { plain, renderTable, type Table } from "./table.ts";

export interface Output {
  /** The result, on standard output: JSON or YAML as it is, else the table or text that `human` makes of it. */
  show<T>(value: T, human: (value: T) => Table | string): Promise<void>;
  /** A remark for people, on standard error; silent in json and yaml mode. */
  note(text: string): void;
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
  };
}

/** Two-space JSON or YAML with a line end; C1 controls are escaped, since a terminal may obey them. */
export async function data(form: "json" | "yaml", value: unknown): Promise<string> {
  if (form === "yaml") {
    const { stringify } = await import("yaml");
    return stringify(value ?? null, { lineWidth: 0 });
  }
  return `${jsonText(value, 2)}\n`;
}

/** JSON that a terminal can be shown. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value ?? null, null, indent);
  return text.replace(/[\x7f-\x9f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}
