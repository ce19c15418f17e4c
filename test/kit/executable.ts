import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { TestContext } from "node:test";
import { folder, type Running, startCommand } from "./program.ts";

/** The executable built by the test runner, or why it does not exist. */
const { PROXY_EXECUTABLE: built, PROXY_NO_EXECUTABLE: missing } = process.env;

export const noExecutable = built ? false : `no executable: ${missing ?? "run this test with npm test"}`;

export interface Place {
  /** Path of the executable, in a folder of its own. */
  readonly program: string;
  /** An empty folder. */
  readonly home: string;
}

/** Copies the executable to an empty folder, with an empty home folder. */
export function alone(t: Pick<TestContext, "after">): Place {
  const dir = folder(t);
  for (const name of ["bin", "home"]) mkdirSync(join(dir, name));
  const program = join(dir, "bin", basename(built!));
  try {
    linkSync(built!, program);
  } catch {
    // A hard link does not work across file systems.
    copyFileSync(built!, program);
  }
  return { program, home: join(dir, "home") };
}

export interface HowToRun {
  env?: Record<string, string>;
  /** A prefix of the command: `unshare …`. */
  under?: readonly string[];
}

/** Starts the executable with only HOME in its environment. */
export function startIt(
  t: Pick<TestContext, "after">,
  { program, home }: Place,
  argv: readonly string[],
  { env = {}, under = [] }: HowToRun = {},
): Running {
  return startCommand(t, [...under, program, ...argv], { env: { HOME: home, ...env }, cwd: home });
}

/** Runs the executable to its end. */
export function runIt(t: Pick<TestContext, "after">, place: Place, argv: readonly string[], how?: HowToRun) {
  const { child, ended } = startIt(t, place, argv, how);
  child.stdin.end();
  return ended;
}
