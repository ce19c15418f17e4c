import { appendFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, rfc3339 } from "../base/clock.ts";
import { makeFolder } from "../base/folder.ts";

/** How long lines are gathered before a write. (ms) */
const WRITE_BEHIND_MS = 100;
/** Largest backlog; beyond it lines are dropped, and the file records how many. (characters) */
const MAX_PENDING = 256 * 1024;

/** A log file that is rotated when it is full: `x.log`, `x.log.1`, `x.log.2`… */
export interface LogFile {
  /** Called before a line is rendered: returns false, and counts the line as dropped, if the backlog is full. */
  hasRoom(): boolean;
  /** Writes one line, given without its line break. Never throws, never blocks. */
  write(line: string): void;
  /** Runs after all earlier lines are in the file and before any later one. */
  settled<T>(work: (paths: readonly string[]) => Promise<T>): Promise<T>;
  /** True if nothing is pending, so that another object for the same path may replace this one. */
  idle(): boolean;
  close(): Promise<void>;
}

interface LogFileOptions {
  path: string;
  clock: Clock;
  maxSizeMb: () => number;
  /** Number of rotated files that are kept. */
  maxBackups: () => number;
  /** Called when a write fails; once, until a write succeeds again. */
  onError: (error: unknown) => void;
}

export function logFile({ path, clock, maxSizeMb, maxBackups, onError }: LogFileOptions): LogFile {
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
    if (dropped > 0) lines.push(`${rfc3339(clock.now())} WARN … ${dropped} lines dropped`);
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
    // Lines being written count as backlog until here.
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
