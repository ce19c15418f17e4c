import { Fault } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";

/** Maximum number of records that wait for a slow disk; further records are dropped. */
const RECORDS = 100_000;
const SIZE = 128 * 1024 * 1024;

/** Limits the memory of waiting records, and logs how many were dropped. */
interface ActivityCapacity {
  /** Takes capacity for a record. @throws Fault disk_failed if the capacity is used up */
  reserve(size: number): void;
  release(size: number): void;
}

export function createActivityCapacity(log: Logger): ActivityCapacity {
  let records = 0;
  let size = 0;
  let dropped = 0;
  return {
    reserve(one) {
      if (records >= RECORDS || size + one > SIZE) {
        dropped++;
        throw new Fault("disk_failed", { reason: `${records} activity records already wait to be written` });
      }
      records++;
      size += one;
    },
    release(one) {
      records--;
      size -= one;
      if (dropped === 0 || records > RECORDS / 2) return;
      log.warn("activity records were dropped, because the disk was too slow", { dropped });
      dropped = 0;
    },
  };
}
