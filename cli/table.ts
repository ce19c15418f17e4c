import { shortTime } from "./time.ts";
import { cut, width } from "./width.ts";

export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (string | number | boolean | undefined | null)[])[];
  /** Columns that must not be truncated, such as IDs and commands, and that are omitted last. */
  whole?: readonly string[];
  /** Columns that are omitted first if space is short, in this order; then the others from the last one. */
  leaveOut?: readonly string[];
  /** Text for a table without rows. */
  empty: string;
}

/** How the parts of a table are emphasized: with colours on a terminal, otherwise unchanged. */
export interface TablePaint {
  heading(text: string): string;
  /** @param word the complete text of the cell, which may be truncated in `text` */
  state(text: string, word: string): string;
}

const UNPAINTED: TablePaint = { heading: (text) => text, state: (text) => text };

/** Columns whose cells begin with the word of a state. */
const STATE_COLUMNS = new Set(["STATE", "STATUS", "APPROVAL", "OUTCOME", "RESULT", "VERDICT", "SEVERITY", "LEVEL"]);

/** The terminal that shows a table. */
interface Terminal {
  /** Its width in columns. */
  columns: number;
  /** The current time, to show times of today without a date (ms since 1970). */
  now: number;
}

const GAP = "  ";
const MIN_COLUMN_CHARACTERS = 12;

/**
 * Formats a table with aligned columns.
 *
 * @param terminal every line is made to fit its width: the widest columns are truncated, then the last ones omitted,
 *   and columns without information too; times are short and local. If absent, everything is shown unchanged
 * @param paint formats the heading and the cells of states
 */
export function renderTable(table: Table, terminal?: Terminal, paint: TablePaint = UNPAINTED): string {
  if (table.rows.length === 0) return table.empty;
  const all = table.columns.map((name, i) => column(name, table, i, terminal));
  const visible = terminal ? fitting(all, terminal.columns, table.leaveOut) : all;
  const line = (cells: readonly string[], state = UNPAINTED.state) =>
    visible
      .map(({ wide, head }, i) => {
        const text = cut(cells[i]!, wide);
        // Spaces are added outside the colour, because they may be removed from the end of the line.
        const spaces = " ".repeat(Math.max(0, wide - width(text)));
        return (STATE_COLUMNS.has(head) ? state(text, cells[i]!) : text) + spaces;
      })
      .join(GAP)
      .trimEnd();
  const rows = table.rows.map((_, n) =>
    line(
      visible.map(({ cells }) => cells[n]!),
      paint.state,
    ),
  );
  return [paint.heading(line(visible.map(({ head }) => head))), ...rows].join("\n");
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

/** The columns that fit, from the first on, each with a recognisable width. */
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

/** Reduces the widest column repeatedly, but each remains recognisable; undefined if that does not suffice. */
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

/** Formats a value as one line without control characters, so that text from servers cannot control the terminal. */
function cell(value: unknown): string {
  return plain(String(value ?? ""))
    .replace(/\s+/g, " ")
    .trim();
}

/** Makes untrusted text safe to print: control characters other than line breaks and tabs become `�`. */
export function plain(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) =>
    c === "\r" ? "" : "�",
  );
}
