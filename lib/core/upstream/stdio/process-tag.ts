import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { lazy } from "../../base/lazy.ts";

/**
 * A range of numbers that tag child processes. The tag is the soft limit for resident memory (RLIMIT_RSS), which every
 * descendant inherits and no ordinary program changes; Linux stores it but has not enforced it since 2.4. A program
 * that clears its environment, starts its own session and loses its parent still has the tag.
 *
 * The numbers are between 2^62 and 2^63: as a limit that means "none", and nobody sets such a value by hand. Below the
 * top bit they have 30 bits for the data directory, 12 for the run, 20 for the child.
 */
export interface ProcessTagRange {
  readonly first: bigint;
  readonly last: bigint;
}

const TOP = 1n << 62n;
const PARTS = [30n, 12n, 20n] as const;

/**
 * Returns the range of tags for marks.
 *
 * @param markPrefix `folder.`, `folder.run.` or `folder.run.number.`; a shorter one means all marks that begin with it
 */
export function processTagRange(markPrefix: string): ProcessTagRange {
  const parts = markPrefix.split(".").filter(Boolean).slice(0, PARTS.length);
  let first = TOP;
  let free = 62n;
  for (const [i, part] of parts.entries()) {
    const bits = PARTS[i] ?? 0n;
    free -= bits;
    first += (numberOf(part, i) & ((1n << bits) - 1n)) << free;
  }
  return { first, last: first + (1n << free) - 1n };
}

/** True if a process has a tag in the range. @param limits text of `/proc/PID/limits` */
export function isTagged(limits: string, { first, last }: ProcessTagRange): boolean {
  const [, soft] = /^Max resident set +(\d+) /m.exec(limits) ?? [];
  if (soft === undefined) return false;
  const tag = BigInt(soft);
  return tag >= first && tag <= last;
}

/** Returns the number for a part of a mark. The children of a run are counted; the other parts are random text. */
function numberOf(part: string, index: number): bigint {
  if (index === 2) return BigInt(part);
  return createHash("sha256").update(part).digest().readBigUInt64BE();
}

/**
 * Makes the command that gives a command its tag: `prlimit` of util-linux sets the limit and then becomes that command,
 * with the same process and environment.
 */
export type Tagger = (mark: string, command: string, args: readonly string[]) => readonly [string, ...string[]];

const USUAL = ["/usr/bin", "/bin", "/usr/local/bin"];
const PROBE_MS = 3000;
const PROBE = processTagRange("0.0.0.");

/**
 * Returns the tagger; undefined if this machine has no `prlimit` or its kernel has no such limit. It is tested once.
 */
export const findTagger = lazy(probe);

async function probe(): Promise<Tagger | undefined> {
  if (process.platform !== "linux") return undefined;
  const path = [...(process.env.PATH ?? "").split(delimiter).filter(isAbsolute), ...USUAL]
    .map((folder) => join(folder, "prlimit"))
    .find((file) => existsSync(file));
  if (path === undefined) return undefined;
  const line = (tag: bigint) => `--rss=${tag}:`;
  const limits = await output(path, [line(PROBE.first), "cat", "/proc/self/limits"]);
  if (!isTagged(limits, PROBE)) return undefined;
  return (mark, command, args) => [path, line(processTagRange(mark).first), command, ...args];
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((done) => {
    execFile(command, args, { timeout: PROBE_MS }, (error, stdout) => done(error ? "" : stdout));
  });
}

/**
 * True if starting `command` would find a program. Otherwise it is started without a tag, so that the error is that of
 * the system.
 */
export function isProgram(command: string, path: string | undefined, folder: string | undefined): boolean {
  if (command.includes("/")) return isExecutableFile(resolve(folder ?? ".", command));
  return (path ?? "").split(delimiter).some((one) => isExecutableFile(resolve(folder ?? ".", one, command)));
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
