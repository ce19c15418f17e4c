import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { FailureCause } from "../../schema/connection-status.ts";
import { UpstreamError } from "../errors.ts";
import type { ProcessLease } from "../process-placement.ts";
import type { ProcessGuard } from "./process-guard.ts";
import { PROCESS_MARK_VARIABLE } from "./process-table.ts";
import { findTagger, isProgram, type Tagger } from "./process-tag.ts";
import { windowsCommand } from "./windows-command.ts";

type Spawned = ChildProcessByStdio<Writable, Readable, Readable>;

/** What to start: an absolute path, or a name that is searched in the PATH of `env`, without a shell. */
export interface ProcessCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string | undefined;
}

/** A running server with pipes: a process on this machine, or one in a container. */
export interface ServerProcess {
  /** The process id on this machine; undefined in a container. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Calls `fn` once when the process has ended, with a description: `exited with code 1`. */
  onEnd(fn: (how: string) => void): void;
  /** Calls `fn` once when the process has ended and its remaining output was read. */
  onSilent(fn: () => void): void;
  /** Ends the process and everything it started. Never rejects, and returns within 6 s. */
  end(): Promise<void>;
}

/**
 * Starts a command as the leader of a new process group. Resolves when the process runs.
 *
 * @param lease the lease that the process needs, if any
 * @throws UpstreamError if it could not be started, or the lease has ended
 */
export async function startProcess(
  server: string,
  what: ProcessCommand,
  guard: ProcessGuard,
  lease?: ProcessLease,
): Promise<ServerProcess> {
  const mark = await guard.mark(lease);
  const tagger = await findTagger();
  if (lease && !lease.isHeld()) throw new UpstreamError(LEASE_ENDED);
  const child = spawned(what, mark, tagger);
  if (lease) {
    // The proxy may have been stopped just before the start. The watchdog is told before anything else happens.
    if (child.pid !== undefined) guard.add(child.pid, server, lease);
    if (!lease.isHeld()) child.kill("SIGKILL");
  }
  await running(child, what.command);
  const pid = child.pid ?? 0;
  if (!lease) guard.add(pid, server);
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    onEnd: (fn) =>
      void child.once("exit", (code, signal) => fn(signal ? `was ended by ${signal}` : `exited with code ${code}`)),
    onSilent: (fn) => void child.once("close", () => fn()),
    async end() {
      await guard.end(pid, mark);
      for (const pipe of child.stdio) pipe?.destroy();
    },
  };
}

const LEASE_ENDED = "this replica's lease ended before its process was started";

function spawned(
  { command, args, env: given, workingDir }: ProcessCommand,
  mark: string,
  tagger: Tagger | undefined,
): Spawned {
  const env: Record<string, string> = { ...given, [PROCESS_MARK_VARIABLE]: mark };
  const windows = process.platform === "win32";
  const tagged = tagger && isProgram(command, env.PATH, workingDir) ? tagger(mark, command, args) : undefined;
  const [program, ...rest] = tagged ?? [command, ...args];
  const line = windows ? windowsCommand(command, args, env) : { command: program, args: rest, verbatim: false };
  return spawn(line.command, line.args, {
    env,
    ...(workingDir !== undefined && { cwd: workingDir }),
    stdio: ["pipe", "pipe", "pipe"],
    // In its own group, the process can be ended with everything it starts. On Windows this would open a console.
    detached: !windows,
    windowsHide: true,
    windowsVerbatimArguments: line.verbatim,
  });
}

function running(child: Spawned, command: string): Promise<void> {
  return new Promise((done, fail) => {
    child.once("spawn", done);
    child.on("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "ENOENT" ? "not found; is it installed, and on the PATH?" : error.message;
      const cause = START_FAILURES[error.code ?? ""];
      fail(
        new UpstreamError(`command ${JSON.stringify(command)}: ${reason}`, { ...(cause && { failureCause: cause }) }),
      );
    });
  });
}

const START_FAILURES: Readonly<Record<string, FailureCause>> = {
  ENOENT: "command_not_found",
  EACCES: "command_not_executable",
};
