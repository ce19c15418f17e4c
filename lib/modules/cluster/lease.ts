import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";

/** The right to be the only one who does something, for a time that is renewed until it is released or lost. */
export interface Lease {
  readonly name: string;
  /** Higher than that of every earlier holder. */
  readonly token: number;
  /** Until when the lease is certainly held, by the machine's monotonic clock (`monotonicMs`). */
  until(): number;
  /** True while the lease is certainly held. Ask before each act: a process that was stopped learns of a loss late. */
  isHeld(): boolean;
  /** Aborts when the lease is lost or released. */
  readonly lost: AbortSignal;
  /** Lets the next holder begin at once. Call it when nothing acts in the lease's name any more. */
  release(): Promise<void>;
}

interface LeaseRequest {
  readonly name: string;
  /** Unique per process. */
  readonly holder: string;
  readonly ttlMs: number;
  /** Called after each renewal. */
  readonly onRenewed?: () => void;
}

/** The holder stops this share of the time before the lease ends by the database's clock. */
const MARGIN = 0.25;
const WAIT_MS = 100;

/** The machine's monotonic clock, which another process of the machine can compare. (ms) */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/**
 * Takes a lease if nobody holds it, and renews it from then on. The database's clock alone decides when a lease has
 * ended; its holder counts from before it asked, so it stops earlier.
 */
export async function takeLease(database: Database, request: LeaseRequest): Promise<Lease | undefined> {
  const { name, holder, ttlMs } = request;
  const asked = monotonicMs();
  const [row] = await database.run((sql) =>
    sql<{ token: number }>(
      `insert into lease (name, holder, token, expires_at)
        values ($1, $2, 1, clock_timestamp() + make_interval(secs => $3::float8 / 1000))
        on conflict (name) do update
        set holder = excluded.holder, token = lease.token + 1, expires_at = excluded.expires_at
        where lease.expires_at < clock_timestamp() returning token`,
      [name, holder, ttlMs],
    ),
  );
  return row && hold(database, request, { token: row.token, until: asked + ttlMs * (1 - MARGIN) });
}

/** Waits until the lease is free and takes it. @param signal ends the wait */
export async function waitForLease(database: Database, request: LeaseRequest, signal: AbortSignal): Promise<Lease> {
  for (;;) {
    signal.throwIfAborted();
    const lease = await takeLease(database, request);
    if (lease) return lease;
    // Spread, so that those who wait do not ask in step.
    await sleep(WAIT_MS * (0.5 + Math.random()), undefined, { signal });
  }
}

function hold(
  database: Database,
  { name, holder, ttlMs, onRenewed }: LeaseRequest,
  { token, until: first }: { token: number; until: number },
): Lease {
  const lost = new AbortController();
  let until = first;
  const isHeld = () => !lost.signal.aborted && monotonicMs() < until;

  const renew = async () => {
    const asked = monotonicMs();
    const [row] = await database.run(
      (sql) =>
        sql<{ token: number }>(
          `update lease set expires_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
            where name = $1 and holder = $2 and token = $3 and expires_at > clock_timestamp() returning token`,
          [name, holder, token, ttlMs],
        ),
      // Not beyond the end, so that `lost` aborts in time when the database does not answer.
      { timeoutMs: Math.max(1, Math.min(ttlMs / 4, until - asked)), signal: lost.signal },
    );
    if (row) {
      until = asked + ttlMs * (1 - MARGIN);
      onRenewed?.();
    } else lost.abort(new Error(`the lease "${name}" has another holder`));
  };
  const keep = async () => {
    while (isHeld()) {
      await sleep(Math.min(ttlMs / 4, Math.max(0, until - monotonicMs())), undefined, {
        signal: lost.signal,
        ref: false,
      }).catch(() => {});
      // An unanswered renewal is repeated while the lease is certainly held.
      if (isHeld()) await renew().catch(() => {});
    }
    lost.abort(new Error(`the lease "${name}" was not renewed in time`));
  };
  void keep();

  return {
    name,
    token,
    until: () => until,
    isHeld,
    lost: lost.signal,
    async release() {
      lost.abort(new Error(`the lease "${name}" was released`));
      await database.run((sql) =>
        sql("update lease set expires_at = '-infinity' where name = $1 and holder = $2 and token = $3", [
          name,
          holder,
          token,
        ]),
      );
    },
  };
}
