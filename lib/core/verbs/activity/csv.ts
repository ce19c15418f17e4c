/** A value of one cell. */
export type Cell = string | number | boolean | undefined;

/**
 * One line of a CSV file (RFC 4180), safe to be opened in a spreadsheet: a text that a spreadsheet would take for a
 * formula gets an apostrophe in front.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/**
 * Beginnings that make a spreadsheet treat a cell as a formula: also after white space, and in the full-width form that
 * some spreadsheets accept.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

function cell(value: Cell): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
