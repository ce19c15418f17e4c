import { Fault } from "../../core/base/fault.ts";
import { plural } from "../../core/base/plural.ts";
import type { Logger } from "../../core/log/logger.ts";

/** Logs the outages of the database: the beginning, the end, and between them a line at long intervals. */
interface OutageReport {
  /**
   * Takes a failure of recurring work.
   *
   * @returns false if the database is not away, so that the failure is to be logged as usual
   */
  failed(error: unknown): boolean;
  /** Call when the database has accepted a change. One that can only be read is away, too. */
  answered(): void;
}

/** Interval of the log lines during an outage. (ms) */
const REPEAT_MS = 10 * 60_000;

/** @param now returns a monotonic time (ms) */
export function createOutageReport(log: Pick<Logger, "info" | "warn">, now = () => performance.now()): OutageReport {
  let outage: { since: number; loggedAt: number; failures: number } | undefined;
  return {
    failed(error) {
      if (!(error instanceof Fault) || error.code !== "cluster_database_away") return false;
      const { reason } = error.facts;
      const at = now();
      if (!outage) {
        outage = { since: at, loggedAt: at, failures: 0 };
        log.warn(`the cluster's database cannot be used (${reason}); the replica keeps trying`);
      }
      outage.failures++;
      if (at - outage.loggedAt < REPEAT_MS) return true;
      outage.loggedAt = at;
      log.warn(`the cluster's database could not be used for ${sum(outage, at)} (${reason})`);
      return true;
    },
    answered() {
      if (!outage) return;
      log.info(`the cluster's database can be used again after ${sum(outage, now())}`);
      outage = undefined;
    },
  };
}

function sum({ since, failures }: { since: number; failures: number }, at: number): string {
  return `${Math.round((at - since) / 1000)} s and ${plural(failures, "failed attempt")}`;
}
