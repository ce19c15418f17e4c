import { isIPv6 } from "node:net";
import type { App } from "../../../core/app.ts";
import type { ProcessPlacement } from "../../../core/upstream/process-placement.ts";
import type { Database } from "../database.ts";
import { encryptionKeys } from "../encryption-keys.ts";
import { type HopIdentity, hopIdentity } from "../hop/hop-authority.ts";
import { createHopClient } from "../hop/hop-client.ts";
import { openHopServer } from "../hop/hop-server.ts";
import { joinReplicas } from "./replica-membership.ts";
import { shareProcesses } from "./share-processes.ts";

/** Where a replica accepts calls of the others. */
interface ReplicaListener {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  /** Where the others reach it: `host:port`. Undefined: at the same place. */
  readonly address: string | undefined;
}

interface ProcessSharingOptions {
  readonly database: Database;
  /** Letters, digits and dashes, at most 40; unique per process. */
  readonly id: string;
  readonly listener: ReplicaListener;
  /** Duration of the lease. (ms) */
  readonly ttlMs?: number;
}

/** The placement of processes by a replica that has joined the others. */
export interface ProcessSharing extends ProcessPlacement {
  /** Leaves the cluster. Call it when no process runs any more. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Certificates last for a year. A timer of Node cannot wait longer than 24 days. */
const RENEW_MS = 7 * DAY_MS;

/**
 * Joins the replicas that share the processes of servers: takes this replica's lease, and serves the others.
 *
 * @throws Fault of the cluster module
 */
export async function joinProcessSharing(app: App, options: ProcessSharingOptions): Promise<ProcessSharing> {
  const { database, id, listener, ttlMs } = options;
  const log = app.log.tagged("cluster");
  const makeIdentity = async () =>
    hopIdentity(database, {
      id,
      keys: await encryptionKeys(app.config.current().cluster.encryption_keys, app.secrets),
      now: Date.now(),
    });
  let identity: HopIdentity = await makeIdentity();
  const server = await openHopServer({ host: listener.host, port: listener.port, identity });
  const client = createHopClient(() => identity);
  const address = listener.address ?? hostPort(listener.host, server.port);
  const membership = joinReplicas({ id, address, database, log, ...(ttlMs !== undefined && { ttlMs }) });
  const { place, onLease, tokenOf } = shareProcesses({
    database,
    membership,
    log,
    connect: client.connect,
    onReleased: server.endProcess,
  });
  server.serve(app, tokenOf);
  // Servers of a replica that has ended are taken over at once, not after the wait of a failed attempt.
  membership.onEnded(() => app.upstreams.retry("another replica has ended"));
  const renewal = setInterval(async () => {
    try {
      identity = await makeIdentity();
      server.renew(identity);
    } catch (error) {
      log.warn("the certificates for other replicas could not be renewed", { error });
    }
  }, RENEW_MS);
  renewal.unref();
  return {
    place,
    onLease,
    notified: server.notified,
    leave: server.leave,
    async close() {
      clearInterval(renewal);
      client.close();
      // The lease is released first: a replica that waits can then take over at once.
      await membership.close();
      await server.close();
    },
  };
}

const hostPort = (host: string, port: number) => `${isIPv6(host) ? `[${host}]` : host}:${port}`;
