import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Clock, rfc3339 } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import { onDemand } from "../base/on-demand.ts";
import { logFile } from "./log-file.ts";
import { logLines } from "./log-lines.ts";
import type { Logger } from "./logger.ts";
import type { ServerLogLine, ServerLogs } from "./server-log.ts";
import { tailLines } from "./tail.ts";

/** Maximum number of lines returned at once. */
const MAX_LINES = 10_000;
/** Number of files above which those without a waiting line are forgotten. */
const MAX_FILES = 64;

export interface ServerLogsOptions {
  /** Folder of the files; created with the first line. */
  dir: string;
  clock: Clock;
  scrub: (text: string) => string;
  /** Called whenever a file may be full, so that a change of the setting takes effect at once. */
  maxSizeMb: number | (() => number);
  maxBackups: number | (() => number);
  log: Logger;
  /** Called for each server whose log has grown, at most twice a second. */
  onLines?: ((server: string) => void) | undefined;
}

/** How long new lines are collected before a notification. (ms) */
const GATHER_MS = 500;

/**
 * Keeps one rotating log per upstream server, written with a delay. If a server writes faster than the disk, lines are
 * dropped instead of filling the memory.
 */
export function createServerLogs({
  dir,
  clock,
  scrub,
  maxSizeMb,
  maxBackups,
  log,
  onLines,
}: ServerLogsOptions): ServerLogs {
  const files = onDemand({
    clock,
    maxValues: MAX_FILES,
    make: (server) =>
      logFile({
        path: join(dir, serverLogName(server)),
        clock,
        maxSizeMb: typeof maxSizeMb === "number" ? () => maxSizeMb : maxSizeMb,
        maxBackups: typeof maxBackups === "number" ? () => maxBackups : maxBackups,
        onError: (error) => log.warn(`the log of server "${server}" cannot be written: ${reasonOf(error)}`),
      }),
    isIdle: (file) => file.idle(),
  });
  const grown = new Map<string, () => void>();
  const announce = (server: string) => {
    if (!onLines || grown.has(server)) return;
    const tell = () => {
      grown.delete(server);
      onLines(server);
    };
    grown.set(server, clock.after(GATHER_MS, tell));
  };
  return {
    write(server, level, text) {
      const file = files.get(server);
      if (!file.hasRoom()) return;
      announce(server);
      const head = `${rfc3339(clock.now())} ${level.toUpperCase()} `;
      for (const line of logLines(text, scrub)) if (file.hasRoom()) file.write(head + line);
    },
    async tail(server, count) {
      const lineCount = Math.min(Math.max(0, Math.floor(count)), MAX_LINES);
      const lines = await files.get(server).settled((paths) => tailLines(paths, lineCount));
      return lines.map(parsed);
    },
    async close() {
      for (const cancel of grown.values()) cancel();
      await Promise.all(files.all().map((file) => file.close()));
    },
  };
}

/**
 * Returns the file name of a server's log. Server names may contain any character. A name that is not plain lower case
 * gets a hash, so that two servers never share a file, also on disks that ignore letter case.
 */
export function serverLogName(server: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,99}$/.test(server)) return `server-${server}.log`;
  const mark = createHash("sha256").update(server).digest("hex").slice(0, 16);
  return `server-${server.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80)}~${mark}.log`;
}

/** Parses a line. One that another program wrote to the file is treated as a message without time and level. */
function parsed(line: string): ServerLogLine {
  const found = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([A-Z]+) (.*)$/s.exec(line);
  if (!found) return { timestamp: "", level: "info", message: line };
  return { timestamp: found[1]!, level: found[2]!.toLowerCase(), message: found[3]! };
}
