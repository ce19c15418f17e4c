import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import { isDiskFault } from "./disk-fault.ts";

/** Logs outages of the disk: one line at the begin, one at the end with the number of failed writes. */
interface DiskOutage {
  /** Notes that `writes` were refused because of `error`, and answers the fault to refuse them with. */
  report(error: unknown, writes: number): Fault;
  /** The fault to refuse unhurried writes with, while the disk need not be tried again. */
  current(): Fault | undefined;
  count(writes: number): void;
  /** A write has succeeded. */
  end(): void;
  reason(): string | undefined;
  close(): void;
}

/** How long after a failure the disk is left alone, except by writes that somebody waits for. */
const RETRY_MS = 1000;

/** @param retry tries the disk again; called every second until `end` */
export function createDiskOutage(clock: Clock, log: Logger, retry: () => void): DiskOutage {
  let fault: Fault | undefined;
  let refused = 0;
  let retryAt = 0;
  let cancel: (() => void) | undefined;
  return {
    report(error, writes) {
      const found = isDiskFault(error)
        ? error
        : new Fault("disk_failed", { reason: reasonOf(error) }, { cause: error });
      if (fault?.message !== found.message) log.error(found.message);
      fault = found;
      refused += writes;
      retryAt = clock.now() + RETRY_MS;
      cancel?.();
      cancel = clock.after(RETRY_MS, retry);
      return found;
    },
    current: () => (fault && clock.now() < retryAt ? fault : undefined),
    count(writes) {
      refused += writes;
    },
    end() {
      if (!fault) return;
      log.info("the database can be written again", { refused });
      cancel?.();
      fault = undefined;
      refused = 0;
    },
    reason: () => fault?.message,
    close() {
      cancel?.();
    },
  };
}
