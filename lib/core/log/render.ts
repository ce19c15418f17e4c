import { Fault } from "../base/fault.ts";
import { printableLine } from "./log-lines.ts";
import { Revealed } from "./revealed.ts";

/** The parts of a log line. */
interface LogEntry {
  message: string;
  facts: Readonly<Record<string, unknown>> | undefined;
  tag: string;
  requestId: string | undefined;
}

/**
 * Renders a line without its time and level: tag, message, facts as `name=value`, with secrets masked. For a defect of
 * the program, the stack follows on separate lines.
 *
 * @returns `secret` is text for the terminal that must not be written to a file
 */
export function renderLogEntry(
  { message, facts, tag, requestId }: LogEntry,
  scrub: (text: string) => string,
): { text: string; secret: string } {
  let head = tag === "" ? message : `[${tag}] ${message}`;
  let tail = "";
  let secret = "";
  const all = requestId === undefined ? facts : { ...facts, request_id: requestId };
  for (const [name, value] of Object.entries(all ?? {})) {
    if (value === undefined) continue;
    if (value instanceof Revealed) secret += ` ${name}=${value.text}`;
    else head += ` ${name}=${shown(value)}`;
    if (value instanceof Error && !(value instanceof Fault)) tail += `\n${value.stack ?? ""}`;
  }
  const lines = `${head}${tail}`.split("\n").map((line) => printableLine(scrub(line)));
  return { text: lines.join("\n    "), secret };
}

function shown(value: unknown): string {
  const text = value instanceof Error ? value.message : typeof value === "string" ? value : json(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
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
