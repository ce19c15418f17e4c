/** One replacement of a part of a text. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Where an entry stands: keys down to the servers, in a list or by name, and its name. */
export interface Place {
  readonly path: readonly string[];
  readonly list: boolean;
  readonly name: string;
}

/** How a text is laid out. */
export interface Layout {
  /** One step of indentation. */
  readonly unit: string;
  readonly eol: string;
}

/** Where the line begins that a place is on. */
export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** Where the line ends that a place is on, before its end mark. */
export function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  if (newline < 0) return text.length;
  return newline > at && text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** Where the next line begins. */
export function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/** The white space with which a line begins. */
export const indentOf = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];
