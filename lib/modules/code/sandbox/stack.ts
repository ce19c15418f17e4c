import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

/** What a program's text became before it ran, so that positions can be told in the text its author wrote. */
export interface Origin {
  /** The author's text. */
  source: string;
  filename: string;
  /** Source map (JSON) from what ran to `source`. */
  map?: string;
  /** Characters put before the first line. */
  shift: number;
}

interface Position {
  line: number;
  column: number;
}

/** A position of the text that ran, in the author's text; both start at 1. */
export function originalPosition(at: Position, origin: Origin): Position {
  let { line, column } = at;
  if (origin.map) {
    const found = originalPositionFor(new TraceMap(origin.map), { line, column: Math.max(0, column - 1) });
    if (found.line !== null) [line, column] = [found.line, found.column + 1];
  }
  return line === 1 ? { line, column: Math.max(1, column - origin.shift) } : { line, column };
}

const PLACE = /([\w.-]+\.(?:js|ts)):(\d+)(?::(\d+))?/;

/** A stack in the author's own positions; frames of the sandbox itself are left out. */
export function originalStack(stack: string, origin: Origin): string {
  return stack
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("(sandbox.js:") && !line.endsWith("host (native)"))
    .map((line) =>
      line.replace(PLACE, (whole, file: string, l: string, c: string | undefined) => {
        if (file !== origin.filename) return whole;
        const at = originalPosition({ line: Number(l), column: Number(c ?? 1) }, origin);
        return `${file}:${at.line}:${at.column}`;
      }),
    )
    .join("\n");
}

/** Where a program could not be read: QuickJS leaves one place without a function name then. */
export function syntaxPosition(stack: string, filename: string): Position | undefined {
  const lines = stack.split("\n").filter((l) => l.trim() !== "");
  const found = /^\s*at ([^\s:()]+):(\d+):(\d+)$/.exec(lines[0] ?? "");
  if (!found || lines.length !== 1 || found[1] !== filename) return undefined;
  return { line: Number(found[2]), column: Number(found[3]) };
}

/** A complaint with its place, the line itself and a caret: `unexpected token (line 3, column 9)`. */
export function withLine(message: string, at: Position, source: string): string {
  const line = source.split(/\r\n|[\n\r\u2028\u2029]/)[at.line - 1] ?? "";
  // Long lines are shown around the place only.
  const from = Math.max(0, at.column - 1 - 80);
  const shown = line.slice(from, from + 160).replaceAll("\t", " ");
  return `${message} (line ${at.line}, column ${at.column})\n  ${shown}\n  ${" ".repeat(at.column - 1 - from)}^`;
}
