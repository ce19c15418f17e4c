import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { lazy } from "../../base/lazy.ts";

/**
 * A number that every descendant of a child inherits and that no ordinary program changes: the soft limit for resident
 * memory (RLIMIT_RSS), which Linux keeps for each process and has not enforced since 2.4. A program that clears its
 * environment, starts a session of its own and loses its parent still has it.
 *
 * Between 2^62 and 2^63: as a limit it means "none", and nobody sets such a value by hand. Below the top bit: 30 bits of
 * the data directory, 12 of the run, 20 of the child.
 */
export interface ProcessTagRange {
  readonly first: bigint;
  readonly last: bigint;
}

const TOP = 1n << 62n;
const PARTS = [30n, 12n, 20n] as const;

/** @param markPrefix `folder.`, `folder.run.` or `folder.run.number.`: a shorter one stands for all that begin with it */
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

/** @param limits text of `/proc/PID/limits` */
export function isTagged(limits: string, { first, last }: ProcessTagRange): boolean {
  const [, soft] = /^Max resident set +(\d+) /m.exec(limits) ?? [];
  if (soft === undefined) return false;
  const tag = BigInt(soft);
  return tag >= first && tag <= last;
}

/** The children of one run are counted; the other parts are random text. */
function numberOf(part: string, index: number): bigint {
  if (index === 2) return BigInt(part);
  return createHash("sha256").update(part).digest().readBigUInt64BE();
}

/** `prlimit` of util-linux gives a command its tag and then becomes that command: same process, same environment. */
export type Tagger = (mark: string, command: string, args: readonly string[]) => readonly [string, ...string[]];

const USUAL = ["/usr/bin", "/bin", "/usr/local/bin"];
const PROBE_MS = 3000;
const PROBE = processTagRange("0.0.0.");

/** Undefined where this machine has no `prlimit` or its kernel keeps no such limit. The machine is probed once. */
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

/** Whether starting `command` would find a program. What is not found is started without a tag, for the system's own error. */
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
