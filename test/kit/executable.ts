import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { TestContext } from "node:test";
import { folder, type Running, startCommand } from "./program.ts";

/** The executable that the test runner has built, or why there is none. */
const { PROXY_EXECUTABLE: built, PROXY_NO_EXECUTABLE: missing } = process.env;

export const noExecutable = built ? false : `no executable: ${missing ?? "run this test with npm test"}`;

export interface Place {
  /** The executable, with nothing beside it. */
  readonly program: string;
  /** An empty folder. */
  readonly home: string;
}

/** The executable moved to where there is nothing else, and an empty home. */
export function alone(t: Pick<TestContext, "after">): Place {
  const dir = folder(t);
  for (const name of ["bin", "home"]) mkdirSync(join(dir, name));
  const program = join(dir, "bin", basename(built!));
  try {
    linkSync(built!, program);
  } catch {
    // Another file system.
    copyFileSync(built!, program);
  }
  return { program, home: join(dir, "home") };
}

export interface HowToRun {
  env?: Record<string, string>;
  /** What stands before the program: `unshare …`. */
  under?: readonly string[];
}

/** Starts the executable with nothing but a home in its environment. */
export function startIt(
  t: Pick<TestContext, "after">,
  { program, home }: Place,
  argv: readonly string[],
  { env = {}, under = [] }: HowToRun = {},
): Running {
  return startCommand(t, [...under, program, ...argv], { env: { HOME: home, ...env }, cwd: home });
}

/** Runs it to its end. */
export function runIt(t: Pick<TestContext, "after">, place: Place, argv: readonly string[], how?: HowToRun) {
  const { child, ended } = startIt(t, place, argv, how);
  child.stdin.end();
  return ended;
}
