import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../../core/base/fault.ts";
import type { Logger } from "../../../core/log/logger.ts";
import { type Database, orAborted } from "../database.ts";
import { type Lease, takeLease } from "../lease.ts";
import {
  livingReplicas,
  type ProcessOwner,
  processOwners,
  type Replica,
  recordReplica,
  removeReplica,
  replicaLeaseName,
} from "./process-owners.ts";

/** What a replica knew of the others at one moment. */
export interface ReplicaSnapshot {
  readonly living: readonly Replica[];
  /** The owners of the servers that somebody of this replica waits for. */
  readonly owners: ReadonlyMap<string, ProcessOwner>;
}

/** The part of this replica in the cluster: its lease, and what it knows of the others. */
export interface ReplicaMembership {
  readonly id: string;
  /** The lease of this replica; undefined while it has none. */
  lease(): Lease | undefined;
  /** The living replicas at the last look. */
  living(): readonly Replica[];
  /** Looks at the database soon. Those who ask at about the same time share one query. */
  look(server: string, signal: AbortSignal): Promise<ReplicaSnapshot>;
  /** Calls `listener` when the lease was taken or renewed. */
  onLease(listener: (lease: Lease) => void): void;
  /** Calls `listener` when a replica has ended. */
  onEnded(listener: (replica: Replica) => void): void;
  /** Releases the lease. Call it when no process runs any more. */
  close(): Promise<void>;
}

interface MembershipOptions extends Replica {
  readonly database: Database;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Duration of the lease, after which another replica may take over. (ms) */
  readonly ttlMs?: number;
}

/** A replica that is killed is replaced after this time. Each replica renews its lease every quarter of it. (ms) */
const TTL_MS = 6000;
/** Time between two looks at the others while somebody waits for a process, and otherwise. (ms) */
const LOOK_MS = 150;
const IDLE_LOOK_MS = 400;
const RETRY_MS = 200;

/** Joins the replicas of a database, and joins again after each loss of the lease, until `close`. */
export function joinReplicas(options: MembershipOptions): ReplicaMembership {
  const { id, address, database, log, ttlMs = TTL_MS } = options;
  const closed = new AbortController();
  const { signal } = closed;
  const leaseListeners: ((lease: Lease) => void)[] = [];
  const endListeners: ((replica: Replica) => void)[] = [];
  /** Those who wait for the next look, by the server they ask for. */
  let waiting = new Map<string, Awaited>();
  let held: Lease | undefined;
  let living: readonly Replica[] = [];
  let wake = () => {};

  const announce = () => {
    if (held?.isHeld()) for (const listener of leaseListeners) listener(held);
  };
  const hold = async () => {
    let complained = false;
    while (!signal.aborted) {
      try {
        await recordReplica(database, { id, address });
        held = await takeLease(database, { name: replicaLeaseName(id), holder: id, ttlMs, onRenewed: announce });
        if (held) {
          complained = false;
          announce();
          wake();
          await ended(AbortSignal.any([held.lost, signal]));
          if (!signal.aborted) log.warn(`${reasonOf(held.lost.reason)}; its processes are ended`);
        }
      } catch (error) {
        if (!complained) log.warn(`this replica cannot take its lease: ${reasonOf(error)}`);
        complained = true;
      }
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const lookOnce = async () => {
    const asked = waiting;
    waiting = new Map();
    try {
      const [all, owners] = await database.run(
        async (sql) =>
          [await livingReplicas(sql), asked.size > 0 ? await processOwners(sql, [...asked.keys()]) : []] as const,
        { signal },
      );
      const gone = living.filter((one) => !all.some((other) => other.id === one.id));
      living = all;
      for (const replica of gone) for (const listener of endListeners) listener(replica);
      const snapshot = { living: all, owners: new Map(owners.map((owner) => [owner.server, owner])) };
      for (const { resolve } of asked.values()) resolve(snapshot);
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  };
  const follow = async () => {
    while (!signal.aborted) {
      await lookOnce();
      if (signal.aborted) break;
      const pause = new AbortController();
      wake = () => pause.abort();
      const ms = waiting.size > 0 ? LOOK_MS : IDLE_LOOK_MS;
      // Spread, so that the replicas do not ask in step.
      const until = AbortSignal.any([signal, pause.signal]);
      await sleep(ms * (0.5 + Math.random() / 2), undefined, { signal: until, ref: false }).catch(() => {});
    }
    for (const { reject } of waiting.values()) reject(new Error("the proxy is closing"));
  };
  const running = [hold(), follow()];

  return {
    id,
    lease: () => (held?.isHeld() ? held : undefined),
    living: () => living,
    look(server, until) {
      let entry = waiting.get(server);
      if (!entry) {
        entry = awaited();
        waiting.set(server, entry);
        if (waiting.size === 1) setTimeout(() => wake(), LOOK_MS).unref();
      }
      return orAborted(entry.promise, until);
    },
    onLease: (listener) => void leaseListeners.push(listener),
    onEnded: (listener) => void endListeners.push(listener),
    async close() {
      closed.abort(new Error("the proxy is closing"));
      wake();
      await Promise.all(running);
      // If the database does not answer, the others wait until the lease ends.
      await held?.release().catch(() => {});
      await removeReplica(database, id).catch(() => {});
    },
  };
}

/** The answer of the next look, for everybody who asks for one server. */
interface Awaited {
  readonly promise: Promise<ReplicaSnapshot>;
  resolve(snapshot: ReplicaSnapshot): void;
  reject(error: unknown): void;
}

function awaited(): Awaited {
  let resolve: Awaited["resolve"] = () => {};
  let reject: Awaited["reject"] = () => {};
  const promise = new Promise<ReplicaSnapshot>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  // Everybody who asked may have gone.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Resolves when the signal aborts. */
function ended(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
