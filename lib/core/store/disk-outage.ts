import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import { isDiskFault } from "./disk-fault.ts";

/** Logs disk failures: one line when they begin, and one when they end, with the number of failed writes. */
interface DiskOutage {
  /** Records that `writes` failed with `error`, and returns the fault to reject them with. */
  report(error: unknown, writes: number): Fault;
  /** The fault to reject writes with that nobody waits for, while the disk is not tried again; otherwise undefined. */
  current(): Fault | undefined;
  count(writes: number): void;
  /** Call when a write has succeeded. */
  end(): void;
  reason(): string | undefined;
  close(): void;
}

/** For this time after a failure, only writes that somebody waits for are tried. */
const RETRY_MS = 1000;

/** Makes the log of disk failures. @param retry tries the disk again; called every second until `end` is called */
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
