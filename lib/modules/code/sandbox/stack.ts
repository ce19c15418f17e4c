import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

/** How the code that runs was derived from the author's source, for translating positions back. */
export interface Origin {
  /** The author's source. */
  source: string;
  filename: string;
  /** Source map (JSON) from the code that ran to `source`. */
  map?: string;
  /** Characters inserted before the first line. */
  shift: number;
}

interface Position {
  line: number;
  column: number;
}

/** Translates a position in the code that ran to the author's source; both count from 1. */
export function originalPosition(at: Position, origin: Origin): Position {
  let { line, column } = at;
  if (origin.map) {
    const found = originalPositionFor(new TraceMap(origin.map), { line, column: Math.max(0, column - 1) });
    if (found.line !== null) [line, column] = [found.line, found.column + 1];
  }
  return line === 1 ? { line, column: Math.max(1, column - origin.shift) } : { line, column };
}

const PLACE = /([\w.-]+\.(?:js|ts)):(\d+)(?::(\d+))?/;

/** Translates a stack trace to positions in the author's source and removes the frames of the sandbox. */
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

/** The position of a syntax error. For one, QuickJS reports a single frame without a function name. */
export function syntaxPosition(stack: string, filename: string): Position | undefined {
  const lines = stack.split("\n").filter((l) => l.trim() !== "");
  const found = /^\s*at ([^\s:()]+):(\d+):(\d+)$/.exec(lines[0] ?? "");
  if (!found || lines.length !== 1 || found[1] !== filename) return undefined;
  return { line: Number(found[2]), column: Number(found[3]) };
}

/** Appends the position, the source line and a caret to a message: `unexpected token (line 3, column 9)`. */
export function withLine(message: string, at: Position, source: string): string {
  const line = source.split(/\r\n|[\n\r\u2028\u2029]/)[at.line - 1] ?? "";
  // Of a long line, only the part around the position is shown.
  const from = Math.max(0, at.column - 1 - 80);
  const excerpt = line.slice(from, from + 160).replaceAll("\t", " ");
  return `${message} (line ${at.line}, column ${at.column})\n  ${excerpt}\n  ${" ".repeat(at.column - 1 - from)}^`;
}
