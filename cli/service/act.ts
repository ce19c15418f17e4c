import { systemClock } from "#lib/core/base/clock.ts";
import { type RunningProxy, runningProxy } from "../background/running.ts";
import type { Cli } from "../cli.ts";
import { spinner } from "../spinner.ts";
import { requireTool } from "./run-tool.ts";
import type { Service } from "./service.ts";

/** How long the proxy may take until it answers (ms). */
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/**
 * Starts or installs the service, and waits until the proxy answers.
 *
 * @throws Error if the service manager refuses, or the proxy does not answer in time
 */
export async function serviceAct(cli: Cli, service: Service, act: "start" | "install"): Promise<RunningProxy> {
  const progress = spinner(cli.stderr);
  progress.say("starting the proxy");
  try {
    for (const argv of act === "start" ? [service.start] : service.install) await requireTool(argv, cli);
    const deadline = systemClock.now() + START_TIMEOUT_MS;
    while (systemClock.now() < deadline) {
      const running = await runningProxy(cli).catch(() => undefined);
      if (running) return running;
      await systemClock.sleep(POLL_MS, cli.signal);
    }
  } finally {
    progress.stop();
  }
  throw new Error(
    `the service ${service.name} was started, but the proxy does not answer; see: ${cli.self} service status; ${cli.self} logs`,
  );
}
