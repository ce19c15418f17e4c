import { events } from "#lib/client/events.ts";
import type { Cli } from "./cli.ts";
import type { Args, CommandRun } from "./command.ts";
import { serverOf } from "./event-line.ts";
import { UsageError } from "./exit.ts";
import { jsonText } from "./output.ts";
import { untilStopped } from "./watch.ts";

/** Number of lines that are compared to find new ones. */
const WINDOW = 500;
/** Number of lines shown unless said otherwise. */
export const LOG_LINES = 50;

interface Line {
  timestamp: string;
  level: string;
  message: string;
}

export const SERVER_LOG_ARGS = {
  tail: {
    type: "string",
    number: true,
    min: 0,
    alias: "n",
    description: `number of lines (${LOG_LINES}); 0 with --follow: only new lines`,
  },
  level: {
    type: "enum",
    valueHint: "level",
    options: ["debug", "info", "warn", "error"],
    description: "minimum level: debug (default), info, warn or error",
  },
  follow: { type: "boolean", alias: "f", description: "continue with new lines until Ctrl-C" },
} as const satisfies Args;

type LogFlags = CommandRun<typeof SERVER_LOG_ARGS>["args"];

/** Shows the log of one server, and with `follow` its new lines until Ctrl-C. */
export async function serverLog(
  cli: Cli,
  name: string,
  { tail, level, follow }: LogFlags,
): Promise<number | undefined> {
  const read = async (lines: number) => {
    const query = { tail: String(lines), ...(level !== undefined && { level }) };
    return (await cli.call("GET /api/v1/servers/{name}/logs", { params: { name }, query })).logs;
  };
  const print = async (lines: Line[]) => {
    // An endless stream cannot be one JSON document, so each line is one.
    if (follow && cli.globals.output === "json") cli.stdout.write(lines.map((l) => `${jsonText(l)}\n`).join(""));
    else await cli.show(lines, () => lines.map(text).join("\n") || "no log lines");
  };
  requireLines(tail, follow);
  // Without the lines that exist already, the new ones could not be recognized.
  let shown = await read(tail === 0 ? WINDOW : (tail ?? LOG_LINES));
  if (tail !== 0) await print(shown);
  if (!follow) return;
  const { systemClock: clock } = await import("#lib/core/base/clock.ts");
  const { stream, signal } = cli;
  const onLost = (reason: string) => cli.note(`${reason}; reconnecting`);
  return untilStopped(cli, async () => {
    for await (const heard of events({ stream, signal, types: ["server.logged"], clock, onLost })) {
      const grew = heard.event === "server.logged" && serverOf(heard) === name;
      if (!grew && !ANEW.includes(heard.event)) continue;
      const lines = await read(Math.max(WINDOW, shown.length));
      const fresh = linesAfter(shown, lines);
      if (fresh.length > 0) await print(fresh);
      shown = lines;
    }
  });
}

/** @throws UsageError for no lines at all */
export function requireLines(tail: number | undefined, follow: boolean | undefined): void {
  if (tail === 0 && !follow) throw new UsageError("-n 0 shows no lines; add --follow to see only new ones");
}

/**
 * Events at which the log is read again: the stream starts or restarts, events were missed, or none arrived for a
 * while.
 */
const ANEW = ["status", "gap", "ping"];

const text = ({ timestamp, level, message }: Line) => `${timestamp} ${level.toUpperCase().padEnd(5)} ${message}`;

/** The lines in the second window that follow the last line of the first; both are windows of one growing log. */
export function linesAfter(before: readonly Line[], now: readonly Line[]): Line[] {
  const same = (a: Line | undefined, b: Line | undefined) => a?.timestamp === b?.timestamp && a?.message === b?.message;
  for (let end = now.length; end > 0; end--) {
    const overlap = Math.min(end, before.length, 20);
    let equal = 0;
    while (equal < overlap && same(now[end - 1 - equal], before[before.length - 1 - equal])) equal++;
    if (equal === overlap && equal > 0) return now.slice(end);
  }
  return [...now];
}
