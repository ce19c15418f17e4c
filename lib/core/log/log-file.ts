import { appendFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, rfc3339 } from "../base/clock.ts";
import { makeFolder } from "../base/folder.ts";

/** Lines wait this long for company before they are written. (ms) */
const WRITE_BEHIND_MS = 100;
/** What may wait; a writer that is faster than this loses lines, and the file says how many. (characters) */
const MAX_PENDING = 256 * 1024;

/** One log file that is put aside when it is full: `x.log`, `x.log.1`, `x.log.2`… */
export interface LogFile {
  /** Asked before the work of making a line: false when there is no room, and the line counts as dropped. */
  hasRoom(): boolean;
  /** One line without its end. Never throws, never blocks. */
  write(line: string): void;
  /** Runs when everything written so far is in the file, and before anything later is. */
  settled<T>(work: (paths: readonly string[]) => Promise<T>): Promise<T>;
  /** Nothing waits and nothing is under way: another one of the same path may take its place. */
  idle(): boolean;
  close(): Promise<void>;
}

interface LogFileOptions {
  path: string;
  clock: Clock;
  maxSizeMb: () => number;
  /** Files put aside that are kept; 0 keeps none. */
  maxBackups: () => number;
  /** The disk refused; told once, until a write succeeds again. */
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
    // Only now is there room again: what is being written counts as waiting.
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
