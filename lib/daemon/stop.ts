import { isatty } from "node:tty";
import type { App } from "../core/app.ts";
import { type Clock, durationMs, systemClock } from "../core/base/clock.ts";
import { processPlacement } from "../core/extension/process-placement.ts";
import { connectionWaits } from "../core/gateway/connection-waits.ts";
import type { Logger } from "../core/log/logger.ts";
import { recordDaemonStop } from "../core/verbs/activity/record-daemon.ts";
import type { Listeners } from "./listen.ts";

/** Timeout for pending calls when the daemon stops (ms). */
const GRACE_MS = 10_000;

/** The parts of a running daemon, in the order in which they were opened. */
interface RunningDaemon {
  app: App & { close(): Promise<void> };
  router: { close(): Promise<void> };
  listeners?: Listeners;
}

/**
 * Stops a daemon gracefully: no new connections, pending calls finish, sessions and streams end, then the state is
 * closed. Calls that still wait for their server to connect are rejected. A replica of a cluster first serves for a while
 * as before, until its load balancer no longer uses it, and finishes the calls of other replicas, too.
 */
export async function stop(
  { app, router, listeners }: RunningDaemon,
  reason: string,
  graceMs = GRACE_MS,
): Promise<void> {
  recordDaemonStop(app, reason);
  app.boot.isStopping = true;
  if (listeners) await retire(app, listeners);
  app.part(connectionWaits).end();
  await listeners?.drain(graceMs);
  if (listeners) await app.part(processPlacement)?.leave(graceMs);
  await router.close();
  await listeners?.close();
  await app.close();
}

async function retire({ clock, config }: App, listeners: Listeners): Promise<void> {
  const { database_url, stop_delay } = config.current().cluster;
  const delayMs = database_url === "" ? 0 : durationMs(stop_delay);
  if (!delayMs) return;
  listeners.retire();
  await new Promise<void>((done) => void clock.after(delayMs, done));
}

/** Exit codes for processes that a signal ended, as shells report them. */
export const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Under `npm start`, Ctrl-C sends two signals within milliseconds, from the terminal and from npm, which count as one
 * (ms).
 */
export const SAME_MS = 200;

/** True if one of the standard streams is a terminal, so that SIGHUP says that it was closed. */
export function hasTerminal(): boolean {
  return [0, 1, 2].some((fd) => isatty(fd));
}

/**
 * Stops gracefully on SIGINT and SIGTERM, and immediately on the second signal. A process with PID 1 has no default
 * handlers, so both are always set. SIGHUP stops a proxy whose terminal was closed. Without a terminal it asks a daemon
 * to read its configuration again, which this one does by itself, and must not end what `nohup` started.
 *
 * @param exit ends the process; called after a graceful stop with 0, or with 129 if the terminal was closed
 * @returns a function that removes the handlers
 */
export function onSignals(
  {
    log,
    exit,
    stop,
    clock = systemClock,
    isInTerminal = hasTerminal(),
  }: {
    log: Logger;
    exit: (code: number) => void;
    stop: (signal: string) => Promise<void>;
    clock?: Clock;
    isInTerminal?: boolean;
  },
  from: Pick<NodeJS.Process, "on" | "off"> = process,
): () => void {
  let since: number | undefined;
  const onSignal = (signal: keyof typeof CODES) => {
    if (signal === "SIGHUP" && !isInTerminal) {
      log.info("SIGHUP: nothing to do; the proxy applies changes of its configuration file without a signal");
      return;
    }
    if (since !== undefined) {
      if (clock.now() - since >= SAME_MS) exit(CODES[signal]);
      return;
    }
    since = clock.now();
    log.info(`${signal}: stopping; send it again to stop immediately`);
    stop(signal).then(
      () => exit(signal === "SIGHUP" ? CODES.SIGHUP : 0),
      (error) => {
        log.error("stopping failed", { reason: String(error) });
        exit(1);
      },
    );
  };
  const signals = Object.keys(CODES) as (keyof typeof CODES)[];
  for (const signal of signals) from.on(signal, onSignal);
  return () => {
    for (const signal of signals) from.off(signal, onSignal);
  };
}
