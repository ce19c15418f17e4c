import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "#lib/core/base/clock.ts";
import { MALLOC_VARIABLES } from "#lib/daemon/malloc-variables.ts";
import type { Cli } from "../cli.ts";
import { localDataDir } from "../local-data-dir.ts";
import { selfCommand } from "../self.ts";
import { spinner } from "../spinner.ts";
import { writeBackgroundRecord } from "./record.ts";
import { type RunningProxy, runningProxy } from "./running.ts";

/** How long a proxy may take until it answers (ms). */
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** How much of its output is kept, to explain a failed start (characters). */
const MAX_OUTPUT = 16_384;

/**
 * Starts `proxy serve` as a background process and waits until it answers. The process outlives this one and its
 * terminal; it writes its log to the log file only.
 *
 * @param args arguments of `serve`
 * @throws Error with the last output of the process if it ends, or does not answer in time
 */
export async function startInBackground(cli: Cli, args: readonly string[]): Promise<RunningProxy> {
  const [command, ...words] = selfCommand("serve", ...selection(cli), ...args);
  const child = spawn(command, words, {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...MALLOC_VARIABLES, ...process.env, ...cli.env },
  });
  const output = outputOf(child);
  const progress = spinner(cli.stderr);
  progress.say("starting the proxy");
  try {
    const running = await untilReady(cli, child, output);
    await writeBackgroundRecord(await localDataDir(cli), { pid: running.pid, args: [...args] });
    return running;
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    progress.stop();
    // Without a reader, the proxy stops writing to standard error and keeps writing to its file.
    child.stderr?.destroy();
    child.unref();
  }
}

/** The flags that select the configuration, with which the process must run, too. */
function selection({ globals: { config, dataDir, logLevel } }: Pick<Cli, "globals">): string[] {
  return [
    ...(config === undefined ? [] : ["--config", config]),
    ...(dataDir === undefined ? [] : ["--data-dir", dataDir]),
    ...(logLevel === undefined ? [] : ["--log-level", logLevel]),
  ];
}

interface Output {
  text: string;
  /** Set when the process has ended or could not be started. */
  ended: string | undefined;
}

function outputOf(child: ChildProcess): Output {
  const output: Output = { text: "", ended: undefined };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.text = (output.text + text).slice(-MAX_OUTPUT);
  });
  child.stderr?.on("error", () => undefined);
  child.once("error", (error) => {
    output.ended = error.message;
  });
  child.once("close", (code) => {
    output.ended ??= `exit code ${code}`;
  });
  return output;
}

async function untilReady(cli: Cli, child: ChildProcess, output: Output): Promise<RunningProxy> {
  const deadline = systemClock.now() + START_TIMEOUT_MS;
  while (systemClock.now() < deadline) {
    if (output.ended !== undefined) throw new Error(failure("the proxy did not start", output));
    const running = await runningProxy(cli).catch(() => undefined);
    if (running?.pid === child.pid) return running!;
    await systemClock.sleep(POLL_MS, cli.signal);
  }
  throw new Error(failure(`the proxy did not answer within ${START_TIMEOUT_MS / 1000} s`, output));
}

/** The reason with the last lines of output, without the lines that show the new API key. */
function failure(what: string, { text, ended }: Output): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.includes("api_key="));
  const last = lines.slice(-10).join("\n");
  return `${what}${ended === undefined ? "" : ` (${ended})`}${last === "" ? "" : `:\n${last}`}`;
}
