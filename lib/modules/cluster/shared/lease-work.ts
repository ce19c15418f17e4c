import { setTimeout as sleep } from "node:timers/promises";
import type { SoleWork } from "../../../core/extension/replica-sharing.ts";
import type { Database } from "../database.ts";
import { type Lease, takeLease } from "../lease.ts";

interface LeaseWorkOptions {
  readonly database: Database;
  /** The running program. */
  readonly holder: string;
  readonly onError: (what: string, error: unknown) => void;
  readonly ttlMs?: number;
}

/** After this time another replica takes over from one that was killed. */
const TTL_MS = 6000;
/** Time between two attempts to take over (ms). */
const WAIT_MS = 1000;

/** Gives each piece of work to the replica that holds its lease. */
export function createLeaseWork({ database, holder, onError, ttlMs = TTL_MS }: LeaseWorkOptions): SoleWork {
  const take = async (name: string): Promise<Lease | undefined> => {
    try {
      return await takeLease(database, { name, holder, ttlMs });
    } catch {
      // The database is away; what is reported of that is reported elsewhere.
      return undefined;
    }
  };
  return {
    async run(name, work, signal) {
      while (!signal.aborted) {
        const lease = await take(`work ${name}`);
        if (lease) {
          const until = AbortSignal.any([signal, lease.lost]);
          await work(until).catch((error: unknown) => {
            if (!until.aborted) onError(`the work "${name}" failed`, error);
          });
          await lease.release().catch(() => {});
        }
        // Spread, so that those who wait do not ask in step.
        await sleep(WAIT_MS * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => {});
      }
    },
  };
}
