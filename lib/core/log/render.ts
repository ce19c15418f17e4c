import { Fault } from "../base/fault.ts";
import { printableLine } from "./log-lines.ts";
import { Revealed } from "./revealed.ts";

/** The parts of a log line. */
export interface LogEntry {
  message: string;
  facts: Readonly<Record<string, unknown>> | undefined;
  tag: string;
  requestId: string | undefined;
  /** The trace of the request; undefined unless traces are made. */
  traceId: string | undefined;
}

/**
 * Renders a line without its time and level: tag, message, facts as `name=value`, with secrets masked. For a defect of
 * the program, the stack follows on separate lines.
 *
 * @returns `secret` is text for the terminal that must not be written to a file
 */
export function renderLogEntry(
  { message, facts, tag, requestId, traceId }: LogEntry,
  scrub: (text: string) => string,
): { text: string; secret: string } {
  let head = tag === "" ? message : `[${tag}] ${message}`;
  let tail = "";
  let secret = "";
  const all: Readonly<Record<string, unknown>> = { ...facts, request_id: requestId, trace_id: traceId };
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    if (value instanceof Revealed) secret += ` ${name}=${value.text}`;
    else head += ` ${name}=${shown(value)}`;
    if (value instanceof Error && !(value instanceof Fault)) tail += `\n${value.stack ?? ""}`;
  }
  const lines = `${head}${tail}`.split("\n").map((line) => printableLine(scrub(line)));
  return { text: lines.join("\n    "), secret };
}

function shown(value: unknown): string {
  const text = factText(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

export function factText(value: unknown): string {
  return value instanceof Error ? value.message : typeof value === "string" ? value : json(value);
}

function json(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_key, member) => (typeof member === "bigint" ? String(member) : member)) ?? String(value)
    );
  } catch {
    return String(value);
  }
}
