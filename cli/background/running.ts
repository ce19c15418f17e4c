import { Fault } from "#lib/core/base/fault.ts";
import type { Cli } from "../cli.ts";
import { UsageError } from "../exit.ts";

/** How long a running proxy may take to answer (ms). */
const TIMEOUT_MS = 5000;

export interface RunningProxy {
  pid: number;
  version: string;
  /** Address of the HTTP listener; empty without one. */
  listenAddr: string;
}

/** The running proxy of the selected data directory; undefined if none runs. */
export async function runningProxy(cli: Cli): Promise<RunningProxy | undefined> {
  try {
    const { pid, version, listen_addr } = await cli.call("GET /api/v1/info", {}, { timeoutMs: TIMEOUT_MS });
    return { pid, version, listenAddr: listen_addr };
  } catch (error) {
    if (error instanceof Fault && (error as Fault).code === "daemon_not_running") return undefined;
    throw error;
  }
}

/** @throws UsageError if a remote proxy was selected, which no command can start or stop */
export function requireLocal({ globals, env }: Pick<Cli, "globals" | "env">): void {
  if (globals.url || env.SERVICE_URL)
    throw new UsageError("a remote proxy cannot be started or stopped from here; run this command on its machine");
}
