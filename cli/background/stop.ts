import { systemClock } from "#lib/core/base/clock.ts";
import { systemErrorCode } from "#lib/core/base/file.ts";
import type { Cli } from "../cli.ts";
import { spinner } from "../spinner.ts";

/** How long a proxy may take to finish calls and stop its servers (ms). */
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/**
 * Stops the process of a proxy gracefully and waits until it has ended. On Windows, which has no such signal, the
 * process ends at once.
 *
 * @throws Error if it may not be stopped, or does not end in time
 */
export async function stopProcess(cli: Cli, pid: number): Promise<void> {
  const progress = spinner(cli.stderr);
  progress.say("stopping the proxy");
  try {
    if (!signalProcess(pid, "SIGTERM")) return;
    const deadline = systemClock.now() + STOP_TIMEOUT_MS;
    while (systemClock.now() < deadline) {
      await systemClock.sleep(POLL_MS, cli.signal);
      if (!signalProcess(pid, 0)) return;
    }
  } finally {
    progress.stop();
  }
  throw new Error(`process ${pid} did not end within ${STOP_TIMEOUT_MS / 1000} s; see: ${cli.self} logs`);
}

/** @returns false if there is no such process */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (systemErrorCode(error) === "ESRCH") return false;
    throw new Error(`process ${pid} belongs to another user; stop it as that user`, { cause: error });
  }
}
