import { shortTime } from "./time.ts";
import { cut, pad, width } from "./width.ts";

export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (string | number | boolean | undefined | null)[])[];
  /** Columns that are only of use whole, such as ids and commands to type: never cut, and left out last. */
  whole?: readonly string[];
  /** Columns that are left out first where there is no room, in this order; the others from the last one on. */
  leaveOut?: readonly string[];
  /** Said instead of a table without rows. */
  empty: string;
}

/** Where a table is shown to somebody. */
interface Terminal {
  /** Its width. */
  columns: number;
  /** For times of today, which are told without their date. (ms since 1970) */
  now: number;
}

const GAP = "  ";
const MIN_COLUMN_CHARACTERS = 12;

/**
 * Lays a table out in aligned columns.
 *
 * @param terminal on it every line fits: the widest columns are cut, the last ones left out where that is not enough, as
 *   are those that say nothing; times are short and local. Left out, everything is there as it came
 * @param strong marks the heading
 */
export function renderTable(table: Table, terminal?: Terminal, strong = (text: string) => text): string {
  if (table.rows.length === 0) return table.empty;
  const all = table.columns.map((name, i) => column(name, table, i, terminal));
  const shown = terminal ? fitting(all, terminal.columns, table.leaveOut) : all;
  const line = (cells: readonly string[]) =>
    shown
      .map(({ wide }, i) => pad(cut(cells[i]!, wide), wide))
      .join(GAP)
      .trimEnd();
  const rows = table.rows.map((_, n) => line(shown.map(({ cells }) => cells[n]!)));
  return [strong(line(shown.map(({ head }) => head))), ...rows].join("\n");
}

interface Column {
  head: string;
  cells: readonly string[];
  wide: number;
  whole: boolean;
}

function column(name: string, { rows, whole = [] }: Table, i: number, terminal: Terminal | undefined): Column {
  const head = name.toUpperCase();
  const cells = rows.map((row) => {
    const text = cell(row[i]);
    return terminal ? (shortTime(text, terminal.now) ?? text) : text;
  });
  return { head, cells, wide: Math.max(width(head), ...cells.map(width)), whole: whole.includes(name) };
}

/** As many of the columns as have room, from the first on, each with what it is to be recognised by. */
function fitting(columns: readonly Column[], room: number, leaveOut: readonly string[] = []): Column[] {
  let left = columns.filter(({ cells }, i) => i === 0 || cells.some((text) => text !== ""));
  const first = leaveOut.map((name) => name.toUpperCase());
  for (;;) {
    const narrowed = narrow(left, room - GAP.length * (left.length - 1));
    const [named] = first.filter((head) => left.some((column) => column.head === head));
    const last = named
      ? left.findIndex(({ head }) => head === named)
      : left.findLastIndex(({ whole }, i) => i > 0 && !whole);
    if (narrowed || last < 0) return narrowed ?? left;
    left = left.filter((_, i) => i !== last);
  }
}

/** Takes from whichever column is widest, but leaves each what it is recognised by; undefined when that is not enough. */
function narrow(columns: readonly Column[], room: number): Column[] | undefined {
  const narrowed = columns.map((one) => ({ ...one }));
  let over = narrowed.reduce((sum, { wide }) => sum + wide, 0) - room;
  while (over > 0) {
    const [widest, second] = narrowed
      .filter(({ whole, wide }) => !whole && wide > MIN_COLUMN_CHARACTERS)
      .sort((a, b) => b.wide - a.wide);
    if (!widest) return undefined;
    const less = Math.min(over, Math.max(1, widest.wide - (second?.wide ?? MIN_COLUMN_CHARACTERS)));
    widest.wide -= less;
    over -= less;
  }
  return narrowed;
}

/** One line, without control characters: what servers send cannot steer the terminal. */
function cell(value: unknown): string {
  return plain(String(value ?? ""))
    .replace(/\s+/g, " ")
    .trim();
}

/** Text of others made safe to print: control characters other than line breaks and tabs become `�`. */
export function plain(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) =>
    c === "\r" ? "" : "�",
  );
}
