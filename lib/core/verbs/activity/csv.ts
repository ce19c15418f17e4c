/** A value of one cell. */
export type Cell = string | number | boolean | undefined;

/**
 * Formats one line of a CSV file (RFC 4180). A text that a spreadsheet would treat as a formula gets an apostrophe in
 * front.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/**
 * Texts that a spreadsheet treats as a formula: the sign may follow white space, and some spreadsheets accept its
 * full-width form.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

function cell(value: Cell): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
