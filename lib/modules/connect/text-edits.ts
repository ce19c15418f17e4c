/** One replacement of a part of a text. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The position of an entry: the keys that lead to the servers, whether these are a list, and the entry's name. */
export interface Place {
  readonly path: readonly string[];
  readonly list: boolean;
  readonly name: string;
}

/** The layout of a text. */
export interface Layout {
  /** One step of indentation. */
  readonly unit: string;
  readonly eol: string;
}

/** Start of the line that contains a position. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** End of the line that contains a position, before the line break. */
export function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  if (newline < 0) return text.length;
  return newline > at && text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** Start of the next line. */
export function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/** The white space at the start of the line. */
export const indentOf = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];
