import { appendFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, rfc3339 } from "../base/clock.ts";
import { makeFolder } from "../base/folder.ts";

/** How long lines are collected before a write. (ms) */
const WRITE_BEHIND_MS = 100;
/** Maximum backlog. When it is full, lines are dropped, and the file states how many. (characters) */
const MAX_PENDING = 256 * 1024;

/** A log file that is rotated when it is full: `x.log`, `x.log.1`, `x.log.2`… */
export interface LogFile {
  /** Call before rendering a line. Returns false, and counts the line as dropped, if the backlog is full. */
  hasRoom(): boolean;
  /** Writes one line, given without its line break. Never throws, never blocks. */
  write(line: string): void;
  /** Runs `work` after all earlier lines are in the file and before any later one. */
  settled<T>(work: (paths: readonly string[]) => Promise<T>): Promise<T>;
  /** True if no line waits. Only then may another object for the same path replace this one. */
  idle(): boolean;
  close(): Promise<void>;
}

interface LogFileOptions {
  path: string;
  clock: Clock;
  maxSizeMb: () => number;
  /** Number of rotated files that are kept. */
  maxBackups: () => number;
  /** Whether the lines are JSON objects; they are text by default. */
  isJson?: () => boolean;
  /** Called when a write fails; not again until a write has succeeded. */
  onError: (error: unknown) => void;
}

export function logFile({
  path,
  clock,
  maxSizeMb,
  maxBackups,
  isJson = () => false,
  onError,
}: LogFileOptions): LogFile {
  let lines: string[] = [];
  let pending = 0;
  let dropped = 0;
  let cancel: (() => void) | undefined;
  let size: number | undefined;
  let failing = false;
  let working = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const aside = (n: number) => (n === 0 ? path : `${path}.${n}`);
  const rotate = async () => {
    const keep = maxBackups();
    await rm(aside(keep), { force: true });
    for (let n = keep - 1; n >= 0; n--) await rename(aside(n), aside(n + 1)).catch(absentIsFine);
    size = 0;
  };
  const append = async (text: string) => {
    const bytes = Buffer.from(text);
    if (size === undefined) {
      makeFolder(dirname(path));
      size = await stat(path).then(
        (s) => s.size,
        () => 0,
      );
    }
    if (size > 0 && size + bytes.length > maxSizeMb() * 1024 * 1024) await rotate();
    await appendFile(path, bytes, { mode: 0o600 });
    size += bytes.length;
  };
  const drain = async () => {
    if (dropped > 0) {
      const [time, message] = [rfc3339(clock.now()), `${dropped} lines dropped`];
      lines.push(isJson() ? JSON.stringify({ time, level: "warn", message }) : `${time} WARN … ${message}`);
    }
    if (lines.length === 0) return;
    const text = `${lines.join("\n")}\n`;
    [lines, dropped] = [[], 0];
    try {
      await append(text);
      failing = false;
    } catch (error) {
      size = undefined;
      if (!failing) onError(error);
      failing = true;
    }
    // Lines being written count as backlog until the write ends.
    pending -= text.length;
  };
  const flush = <T>(then: () => Promise<T>): Promise<T> => {
    cancel?.();
    cancel = undefined;
    working++;
    const turn = queue
      .then(drain)
      .then(then)
      .finally(() => working--);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const nothing = async () => undefined;

  return {
    hasRoom() {
      if (pending < MAX_PENDING) return true;
      dropped++;
      return false;
    },
    write(line) {
      lines.push(line);
      pending += line.length + 1;
      cancel ??= clock.after(WRITE_BEHIND_MS, () => void flush(nothing));
    },
    settled: (work) => flush(() => work(Array.from({ length: maxBackups() + 1 }, (_, n) => aside(n)))),
    idle: () => pending === 0 && dropped === 0 && working === 0,
    close: () => flush(nothing),
  };
}

function absentIsFine(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
