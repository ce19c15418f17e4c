import { type Clock, systemClock } from "../core/base/clock.ts";
import type { Logger } from "../core/log/logger.ts";

/** Timeout of a graceful stop after an uncaught exception (ms). */
const GRACE_MS = 5000;

/**
 * Logs defects, because log lines are masked, unlike Node's own report. An unhandled rejection closes no connection. An
 * uncaught exception ends the process, gracefully if possible.
 *
 * @param exit ends the process; called with 1
 */
export function onDefects(
  {
    log,
    exit,
    stop,
    clock = systemClock,
  }: { log: Logger; exit: (code: number) => void; stop: (reason: string) => Promise<void>; clock?: Clock },
  from: Pick<NodeJS.Process, "on"> = process,
): void {
  const stack = (error: unknown) => String((error as Error | undefined)?.stack ?? error);
  let ending = false;
  from.on("unhandledRejection", (reason) => {
    log.error("an unhandled rejection", { stack: stack(reason) });
  });
  from.on("uncaughtException", (error) => {
    log.error("an uncaught exception; the proxy exits", { stack: stack(error) });
    if (ending) return;
    ending = true;
    clock.after(GRACE_MS, () => exit(1));
    stop("an uncaught exception").then(
      () => exit(1),
      () => exit(1),
    );
  });
}
