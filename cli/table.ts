import { cut, pad, width } from "./width.ts";

export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (string | number | boolean | undefined | null)[])[];
  /** Said instead of a table without rows. */
  empty: string;
}

const GAP = "  ";
const LEAST = 12;

/**
 * Lays a table out in aligned columns.
 *
 * @param columns width of the terminal; the widest columns are cut to fit it. Left out, nothing is cut
 * @param strong marks the heading, on a terminal
 */
export function renderTable(table: Table, columns?: number, strong = (text: string) => text): string {
  if (table.rows.length === 0) return table.empty;
  const cells = table.rows.map((row) => table.columns.map((_, i) => cell(row[i])));
  const heads = table.columns.map((c) => c.toUpperCase());
  const widths = heads.map((head, i) => Math.max(width(head), ...cells.map((row) => width(row[i]!))));
  if (columns !== undefined) fit(widths, columns - GAP.length * (widths.length - 1));
  const line = (row: readonly string[]) =>
    row
      .map((text, i) => pad(cut(text, widths[i]!), widths[i]!))
      .join(GAP)
      .trimEnd();
  return [strong(line(heads)), ...cells.map(line)].join("\n");
}

/** Takes columns away from whichever is widest, but leaves each something to be recognised by. */
function fit(widths: number[], room: number): void {
  let over = widths.reduce((a, b) => a + b, 0) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= LEAST) return;
    const at = widths.indexOf(widest);
    const second = Math.max(LEAST, ...widths.filter((_, i) => i !== at));
    const less = Math.min(over, Math.max(1, widest - second));
    widths[at] = widest - less;
    over -= less;
  }
}

/** One line, without control characters: what servers send cannot steer the terminal. */
function cell(value: unknown): string {
  return plain(String(value ?? ""))
    .replace(/\s+/g, " ")
    .trim();
}

/** Text of others made safe to print: control characters other than line breaks and tabs become `�`. */
export function plain(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) =>
    c === "\r" ? "" : "�",
  );
}
