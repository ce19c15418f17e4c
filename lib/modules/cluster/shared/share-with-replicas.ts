import type { App } from "../../../core/app.ts";
import type { BroadcastKind, ReplicaSharing } from "../../../core/extension/replica-sharing.ts";
import { sealedStates } from "../../../core/mcp/sealed-states.ts";
import type { Database } from "../database.ts";
import { createFailedAttempts, DROP_OLD_ATTEMPTS } from "./failed-attempts.ts";
import { createLeaseWork } from "./lease-work.ts";
import { DROP_ENDED_WINDOWS, sharedAttemptLimit } from "./shared-attempt-limit.ts";
import { createSharedEvents } from "./shared-events.ts";
import { OMITTED, type SharedLog } from "./shared-log.ts";
import { shortLivedTable } from "./short-lived-table.ts";

interface SharingParts {
  readonly database: Database;
  readonly program: string;
  /** Identifies the data directory. */
  readonly replica: string;
  /** The events of all replicas, and messages among them. */
  readonly logs: { readonly events: SharedLog; readonly messages: SharedLog };
  /** Repeats work until the store closes. */
  every(ms: number, what: string, work: () => Promise<unknown>): void;
  /** Run in reverse order when the store closes. */
  readonly closers: (() => unknown)[];
}

const SWEEP_MS = 10 * 60_000;

/** What this replica shares with the others besides the store. */
export function shareWithReplicas(
  app: App,
  { database, program, replica, logs, every, closers }: SharingParts,
): ReplicaSharing {
  const failedAttempts = createFailedAttempts(database);
  closers.push(failedAttempts.close);
  every(SWEEP_MS, "removing attempts that no longer count", () =>
    database.transact(async (sql) => {
      await sql(DROP_ENDED_WINDOWS);
      await sql(DROP_OLD_ATTEMPTS);
    }),
  );
  return {
    replica,
    shortLivedValues: (kind) => shortLivedTable({ database, sealed: app.part(sealedStates) }, kind),
    attemptLimit: (name, limits) => sharedAttemptLimit(database, name, limits),
    countFailedAttempt: failedAttempts.add,
    events: createSharedEvents(app, logs.events),
    soleWork: createLeaseWork({ database, holder: program, onError: (what, error) => app.log.warn(what, { error }) }),
    broadcast: (kind, body) => logs.messages.append({ kind, body }),
    onBroadcast: (listener) =>
      logs.messages.onEntries((entries, isWhole) => {
        if (!isWhole) listener(undefined);
        else
          for (const { program: sender, kind, body } of entries)
            if (sender !== program) listener(kind === OMITTED ? undefined : { kind: kind as BroadcastKind, body });
      }),
  };
}
