import { systemClock } from "#lib/core/base/clock.ts";
import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import type { Cli } from "../cli.ts";
import { spinner } from "../spinner.ts";

/** How long new servers may take to list their tools: more than a first start that downloads a package (ms). */
const TIMEOUT_MS = 330_000;
const POLL_MS = 300;

/** Waits until each server has listed its tools or failed to start. @returns their records */
export async function waitForTools(cli: Cli, names: readonly string[]): Promise<ServerRecord[]> {
  const progress = spinner(cli.stderr);
  const deadline = systemClock.now() + TIMEOUT_MS;
  try {
    for (;;) {
      const { servers } = await cli.call("GET /api/v1/servers", {});
      const own = servers.filter(({ name }) => names.includes(name));
      const waiting = own.filter((server) => !isSettled(server));
      if (waiting.length === 0 || systemClock.now() >= deadline) return own;
      progress.say(`starting ${waiting.map(({ name }) => name).join(", ")}; a first start downloads its package`);
      await systemClock.sleep(POLL_MS, cli.signal);
    }
  } finally {
    progress.stop();
  }
}

function isSettled({ enabled, tool_count, last_error, connecting, connected }: ServerRecord): boolean {
  if (!enabled || tool_count > 0) return true;
  return last_error !== undefined && !connecting && !connected;
}
