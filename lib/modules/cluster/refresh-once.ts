import { setTimeout as sleep } from "node:timers/promises";
import { takeClaim, waitForClaim } from "./claim.ts";
import type { Sql } from "./connection.ts";
import type { Database } from "./database.ts";

/** A value with the revision of its row. */
export interface Versioned<T> {
  readonly rev: number;
  readonly value: T;
}

interface RefreshOnce<T> {
  readonly name: string;
  /** The revision whose value is no longer good. */
  readonly seen: number;
  read(sql: Sql): Promise<Versioned<T>>;
  /** Asks somebody else for the next value. It must end before `claimMs`. */
  renew(current: T): Promise<T>;
  /** Stores a value under the next revision if the row still has revision `seen`. @returns false if it has not */
  save(sql: Sql, value: T, seen: number): Promise<boolean>;
  /** After this time another replica may renew, because the first one is presumed dead. */
  readonly claimMs?: number;
  readonly signal?: AbortSignal;
}

const CLAIM_MS = 20_000;
const SAVE_PAUSE_MS = 100;
/** How long a renewed value is tried to be stored: it may be the only one that is still good. (ms) */
const SAVE_TIMEOUT_MS = 30_000;

/**
 * Renews a value that may be renewed only once, such as a refresh token, over all replicas. One replica claims the work;
 * the others wait and read its result. No connection is held meanwhile. Nothing is renewed while the database does not
 * answer.
 *
 * @returns a value that is newer than `seen`
 */
export async function refreshOnce<T>(
  database: Database,
  { name, seen, read, renew, save, claimMs = CLAIM_MS, signal }: RefreshOnce<T>,
): Promise<Versioned<T>> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const before = await database.run(read, { signal });
    if (before.rev > seen) return before;
    const claim = await takeClaim(database, { name, claimMs });
    if (claim)
      try {
        // Another replica may have finished between the reading and the claim.
        const current = await database.run(read, { signal });
        if (current.rev > seen) return current;
        const value = await renew(current.value);
        if (await saveSurely(database, (sql) => save(sql, value, seen))) return { rev: seen + 1, value };
      } finally {
        await claim.release();
      }
    else await waitForClaim(attempt, signal);
  }
}

/** Repeats a save whose outcome is unknown. A second save finds the first one's revision and changes nothing. */
async function saveSurely(database: Database, save: (sql: Sql) => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + SAVE_TIMEOUT_MS;
  for (;;) {
    try {
      return await database.transact(save);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "cluster_database_away" || performance.now() > deadline) throw error;
      await sleep(SAVE_PAUSE_MS);
    }
  }
}
