import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The bundled program; the test runner builds it if tests of the command line are selected. */
export const BUNDLE = resolve("dist/proxy.cjs");

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
  /** Waits until standard error or output matches, and returns the match. */
  says(what: RegExp): Promise<RegExpExecArray>;
  /** What it has written to standard output so far. */
  printed(): string;
}

/** The owner of resources: one test or, with the `after` of `node:test`, a file. */
export interface Scope {
  after(fn: () => unknown): void;
}

/** Creates a folder that is removed after the test. */
export function folder(t: Scope): string {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => {
    try {
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A process still writes there. A failure here would prevent later hooks that end the process.
    }
  });
  return dir;
}

/** Starts the bundled program with its own environment; it is killed after the test if still running. */
export function start(
  t: Scope,
  argv: readonly string[],
  env: Record<string, string> = {},
  bundle: string = BUNDLE,
): Running {
  return startNode(t, [bundle, ...argv], env);
}

/** Starts a program with this Node, and with the compiled code that the runner keeps for all programs of a run. */
export function startNode(t: Scope, argv: readonly string[], env: Record<string, string> = {}): Running {
  const { NODE_COMPILE_CACHE } = process.env;
  return startCommand(t, [process.execPath, ...argv], {
    env: { HOME: "/nonexistent", ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
  });
}

/** Starts a command with only PATH from the current environment. */
export function startCommand(
  t: Scope,
  [command = "", ...args]: readonly string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Running {
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH ?? "", ...env } });
  t.after(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  const heard = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
    for (const wake of heard) wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
    for (const wake of heard) wake();
  });
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, out, err })));
  const says = (what: RegExp) =>
    new Promise<RegExpExecArray>((done, fail) => {
      const look = () => {
        const found = what.exec(err) ?? what.exec(out);
        if (!found) return;
        heard.delete(look);
        done(found);
      };
      heard.add(look);
      look();
      void ended.then(({ code }) => fail(new Error(`ended with ${code} before saying ${what}:\n${err}${out}`)));
    });
  return { child, ended, says, printed: () => out };
}

/** Runs the bundled program to its end. */
export function runProgram(t: Scope, argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return run(t, [BUNDLE, ...argv], env);
}

/** Runs a file with node to its end. */
export function run(t: Scope, argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const { child, ended } = startNode(t, argv, env);
  child.stdin.end();
  return ended;
}
