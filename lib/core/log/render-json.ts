import { Fault } from "../base/fault.ts";
import { printableLine } from "./log-lines.ts";
import { factText, type LogEntry } from "./render.ts";
import { Revealed } from "./revealed.ts";

/**
 * Renders a line as one JSON object: `time`, `level`, `tag`, `message`, then the facts, with secrets masked as in text.
 *
 * @returns `filed` is the line for a file, `printed` the one for the terminal, which may show a secret to a person
 */
export function renderJsonEntry(
  { time, level, message, facts, tag, requestId, traceId }: LogEntry & { time: string; level: string },
  scrub: (text: string) => string,
): { filed: string; printed: string } {
  const clean = (text: string) =>
    text
      .split("\n")
      .map((line) => printableLine(scrub(line)))
      .join("\n");
  const line: Record<string, unknown> = {
    time,
    level,
    ...(tag !== "" && { tag }),
    message: clean(message),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(traceId !== undefined && { trace_id: traceId }),
  };
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(facts ?? {})) {
    if (value === undefined || name === "request_id") continue;
    const member = Object.hasOwn(line, name) ? `${name}_` : name;
    if (value instanceof Revealed) secrets[member] = value.text;
    else line[member] = typeof value === "number" || typeof value === "boolean" ? value : factOf(name, value, clean);
    if (value instanceof Error && !(value instanceof Fault)) line.stack = clean(value.stack ?? "");
  }
  const filed = JSON.stringify(line);
  return { filed, printed: Object.keys(secrets).length === 0 ? filed : JSON.stringify({ ...line, ...secrets }) };
}

/** Masks a fact together with its name, because the name can say that the value is a secret. */
function factOf(name: string, value: unknown, clean: (text: string) => string): string {
  const text = clean(`${name}=${factText(value)}`);
  return text.startsWith(`${name}=`) ? text.slice(name.length + 1) : text;
}
