import { createMutex } from "../../core/base/mutex.ts";
import type { Sql } from "./connection.ts";
import type { Database } from "./database.ts";
import { Fault } from "./faults.ts";

/**
 * Runs the work of one table of this replica in the order of the requests, so that a read sees every write before it.
 * Each work is one transaction.
 *
 * @throws Fault cluster_database_away, also if the work before it takes too long
 */
export type SerialWork = <T>(work: (sql: Sql) => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Longest wait for the work before. While the database is away, each work before takes its whole time limit. (ms) */
const TURN_TIMEOUT_MS = 6000;

export function createSerialWork(database: Database): SerialWork {
  const mutex = createMutex();
  const enter = async (signal: AbortSignal | undefined): Promise<() => void> => {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), TURN_TIMEOUT_MS);
    const cancel = () => end.abort();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await mutex.hold(end.signal);
    } catch {
      signal?.throwIfAborted();
      throw new Fault("cluster_database_away", { reason: "earlier requests wait for it" });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  };
  return async (work, signal) => {
    signal?.throwIfAborted();
    const release = await enter(signal);
    try {
      return await database.transact(work, { signal });
    } finally {
      release();
    }
  };
}
