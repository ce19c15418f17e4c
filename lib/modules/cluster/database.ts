import { reasonOf } from "../../core/base/fault.ts";
import { systemErrorCode } from "../../core/base/file.ts";
import { type Connection, type ConnectionOptions, openConnection, type Sql } from "./connection.ts";
import type { DatabaseTarget } from "./database-target.ts";
import { Fault } from "./faults.ts";

/** A pool of connections. Everything that it does has an end, whether the server answers or not. */
export interface Database {
  readonly target: DatabaseTarget;
  /**
   * Runs statements on one connection. A connection that was not answered in time is destroyed, so that the next work
   * gets a new one.
   *
   * @throws Fault cluster_database_away, also if the server answers that it cannot do the work at the moment, and the
   * faults of `openConnection`; other errors of statements are thrown as they are
   */
  run<T>(work: (sql: Sql) => Promise<T>, limits?: RunLimits): Promise<T>;
  /** Runs statements in one transaction; it is rolled back if `work` throws. */
  transact<T>(work: (sql: Sql) => Promise<T>, limits?: RunLimits): Promise<T>;
  /** Destroys all connections; work under way fails. */
  close(): void;
}

interface RunLimits {
  /** Longest time for connecting, waiting for a connection, and the work together. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DatabaseOptions extends Omit<ConnectionOptions, "onNotification"> {
  readonly maxConnections?: number;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 6000;
/** A connection is replaced at this age, so that a failover or a changed password is noticed in time. (ms) */
const MAX_AGE_MS = 30 * 60_000;

interface Pooled {
  readonly connection: Connection;
  readonly openedAt: number;
}

export function openDatabase(target: DatabaseTarget, options: DatabaseOptions): Database {
  const { maxConnections = 4, timeoutMs = TIMEOUT_MS } = options;
  const idle: Pooled[] = [];
  const waiting = new Set<() => void>();
  const runs = new Set<AbortController>();
  let slots = maxConnections;
  let closed = false;
  let connected = false;

  const enter = async (end: AbortSignal) => {
    if (slots > 0) {
      slots--;
      return;
    }
    let granted = () => {};
    const turn = new Promise<void>((done) => {
      granted = done;
    });
    waiting.add(granted);
    try {
      await orAborted(turn, end);
    } catch (error) {
      // A slot that was granted in the meantime goes to the next.
      if (!waiting.delete(granted)) leave();
      throw error;
    }
  };
  const leave = () => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else slots++;
  };
  const acquire = async (end: AbortSignal): Promise<Pooled> => {
    for (let found = idle.pop(); found; found = idle.pop()) {
      if (!found.connection.lost.aborted && performance.now() - found.openedAt < MAX_AGE_MS) return found;
      found.connection.close();
    }
    const opening = openConnection(target, options);
    try {
      const connection = await orAborted(opening, end);
      connected = true;
      return { connection, openedAt: performance.now() };
    } catch (error) {
      // An attempt that succeeds after its caller has gone must not leave a connection open.
      void opening.then(
        (late) => late.close(),
        () => {},
      );
      // The settings were good before, so this is an outage and no reason to correct them.
      if (connected && error instanceof Fault && error.code === "cluster_database_unreachable")
        throw away(error.message, error);
      throw error;
    }
  };
  const runUntil = async <T>(work: (sql: Sql) => Promise<T>, end: AbortSignal): Promise<T> => {
    const pooled = await acquire(end);
    const { connection } = pooled;
    let usable = false;
    try {
      const result = await orAborted(work(connection.sql), end);
      usable = true;
      return result;
    } catch (error) {
      usable = !end.aborted && !isLoss(error) && systemErrorCode(error) !== READ_ONLY;
      throw error;
    } finally {
      if (usable && !closed && !connection.lost.aborted) idle.push(pooled);
      else connection.close();
    }
  };

  const run: Database["run"] = async (work, { timeoutMs: limit = timeoutMs, signal } = {}) => {
    signal?.throwIfAborted();
    if (closed) throw away("the proxy is closing");
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(away(`no answer within ${limit} ms`)), limit);
    const cancel = () => end.abort(signal?.reason);
    signal?.addEventListener("abort", cancel, { once: true });
    runs.add(end);
    try {
      await enter(end.signal);
      try {
        return await runUntil(work, end.signal);
      } finally {
        leave();
      }
    } catch (error) {
      const reason = awayReason(error);
      throw reason !== undefined && !end.signal.aborted ? away(reason, error) : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      runs.delete(end);
    }
  };
  return {
    target,
    run,
    transact: (work, limits) => run((sql) => inTransaction(sql, work), limits),
    close() {
      closed = true;
      for (const end of runs) end.abort(away("the proxy is closing"));
      for (const { connection } of idle.splice(0)) connection.close();
    },
  };
}

async function inTransaction<T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  await sql("begin");
  let result: T;
  try {
    result = await work(sql);
  } catch (error) {
    // A rollback that fails leaves the connection in a transaction, so it must not be used again.
    await sql("rollback").catch((cause) => {
      throw new ConnectionLost("the transaction could not be rolled back", { cause });
    });
    throw error;
  }
  await sql("commit");
  return result;
}

class ConnectionLost extends Error {}

/** True if the connection or the server is lost: classes 08 and 57P of the server, or the driver's own errors. */
function isLoss(error: unknown): boolean {
  if (error instanceof Fault) return false;
  if (error instanceof ConnectionLost) return true;
  const code = systemErrorCode(error);
  return (
    /^(08|57P)/.test(code) ||
    /^E[A-Z]+$/.test(code) ||
    /^(Connection terminated|Client (has encountered|was closed))/.test(reasonOf(error))
  );
}

/** The server of this connection has become a standby; a new connection may reach the primary. */
const READ_ONLY = "25006";
const DISK_FULL = "53100";
/** Classes 53 and 58 (the server lacks something, or its system fails), and the ends of `lock_timeout` and `statement_timeout`. */
const UNABLE = /^(53|58)|^(55P03|57014)$/;

/** Returns why the database cannot be used at the moment; undefined if the error says something else. */
function awayReason(error: unknown): string | undefined {
  if (isLoss(error)) return reasonOf(error);
  if (error instanceof Fault) return undefined;
  const code = systemErrorCode(error);
  if (code === READ_ONLY)
    return "it is read-only, as a standby is; let cluster.database_url lead to a server that accepts changes";
  if (code === DISK_FULL) return `${reasonOf(error)}; free space on the disk of the PostgreSQL server`;
  return UNABLE.test(code) ? reasonOf(error) : undefined;
}

/** Returns the SQLSTATE of a statement's error, also if that error was wrapped in cluster_database_away. */
export function sqlState(error: unknown): string {
  return systemErrorCode(error instanceof Fault ? error.cause : error);
}

function away(reason: string, cause?: unknown) {
  return new Fault("cluster_database_away", { reason }, { cause });
}

/** Settles like `promise`, but fails with the signal's reason when it aborts first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}
