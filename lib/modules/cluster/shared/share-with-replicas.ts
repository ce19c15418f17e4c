import type { App } from "../../../core/app.ts";
import type { ReplicaSharing } from "../../../core/extension/replica-sharing.ts";
import { sealedStates } from "../../../core/mcp/sealed-states.ts";
import type { Database } from "../database.ts";
import { createFailedAttempts, DROP_OLD_ATTEMPTS } from "./failed-attempts.ts";
import { DROP_ENDED_WINDOWS, sharedAttemptLimit } from "./shared-attempt-limit.ts";
import { shortLivedTable } from "./short-lived-table.ts";

interface SharingParts {
  readonly database: Database;
  /** Repeats work until the store closes. */
  every(ms: number, what: string, work: () => Promise<unknown>): void;
  /** Run in reverse order when the store closes. */
  readonly closers: (() => unknown)[];
}

const SWEEP_MS = 10 * 60_000;

/** What this replica shares with the others besides the store. */
export function shareWithReplicas(app: App, { database, every, closers }: SharingParts): ReplicaSharing {
  const failedAttempts = createFailedAttempts(database);
  closers.push(failedAttempts.close);
  every(SWEEP_MS, "removing attempts that no longer count", () =>
    database.transact(async (sql) => {
      await sql(DROP_ENDED_WINDOWS);
      await sql(DROP_OLD_ATTEMPTS);
    }),
  );
  return {
    shortLivedValues: (kind) => shortLivedTable({ database, sealed: app.part(sealedStates) }, kind),
    attemptLimit: (name, limits) => sharedAttemptLimit(database, name, limits),
    countFailedAttempt: failedAttempts.add,
  };
}
