import { reasonOf } from "../../../core/base/fault.ts";
import type { ServerConfig } from "../../../core/config/config-keys.ts";
import type { Logger } from "../../../core/log/logger.ts";
import { UpstreamError } from "../../../core/upstream/errors.ts";
import type { Placement, ProcessLease, ProcessPlacement } from "../../../core/upstream/process-placement.ts";
import type { Transport, TransportReceiver } from "../../../core/upstream/transport.ts";
import type { Database } from "../database.ts";
import { type Lease, monotonicMs } from "../lease.ts";
import { preferredReplica } from "./preferred-replica.ts";
import { claimProcess, type ProcessOwner, type Replica, releaseProcess } from "./process-owners.ts";
import type { ReplicaMembership, ReplicaSnapshot } from "./replica-membership.ts";

interface ShareProcessesOptions {
  readonly database: Database;
  readonly membership: ReplicaMembership;
  readonly log: Pick<Logger, "warn">;
  /** Opens a transport to the replica that runs a server. @throws UpstreamError */
  connect(owner: RemoteOwner, receiver: TransportReceiver, signal: AbortSignal): Promise<Transport>;
  /** Called when a process of this replica has ended. */
  onReleased(server: string): void;
}

/** The replica that runs the process of a server. */
export interface RemoteOwner extends Replica {
  readonly server: ServerConfig;
  /** The token of its ownership. */
  readonly token: number;
}

/** Shares the processes of servers between replicas: each has one owner, and the other replicas connect to it. */
interface SharedProcesses extends Pick<ProcessPlacement, "place" | "onLease"> {
  /** The token of this replica's ownership of a server; undefined if it runs no process of it. */
  tokenOf(server: string): number | undefined;
}

/** How long the preferred replica has to start a process before another one does. (ms) */
const PREFERENCE_MS = 700;
/** Longest wait for a decision: longer than a lease of a replica that was killed. (ms) */
const DECISION_MS = 10_000;

export function shareProcesses(options: ShareProcessesOptions): SharedProcesses {
  const { database, membership, log, connect, onReleased } = options;
  const tokens = new Map<string, number>();

  const here = (server: string, token: number, lease: Lease): Placement => {
    let releasing: Promise<void> | undefined;
    tokens.set(server, token);
    return {
      where: "here",
      lease: processLease(lease),
      release() {
        if (tokens.get(server) === token) {
          tokens.delete(server);
          onReleased(server);
        }
        releasing ??= releaseProcess(database, server, token).catch((error) => {
          // This replica owns the server until its lease ends; it may claim the server again before that.
          log.warn(`the process of "${server}" could not be released: ${reasonOf(error)}`);
        });
        return releasing;
      },
    };
  };
  const elsewhere = (server: ServerConfig, { token }: ProcessOwner, replica: Replica): Placement => ({
    where: "elsewhere",
    connect: (receiver, signal) => connect({ ...replica, server, token }, receiver, signal),
  });
  /** Decides by what is known now. @returns undefined if it must be looked at again */
  const decide = async (
    server: ServerConfig,
    { living, owners }: ReplicaSnapshot,
    waitedMs: number,
  ): Promise<Placement | undefined> => {
    const { name } = server;
    const owner = owners.get(name);
    if (owner && owner.replica !== membership.id) {
      const replica = living.find(({ id }) => id === owner.replica);
      return replica && elsewhere(server, owner, replica);
    }
    const lease = membership.lease();
    if (!lease) return undefined;
    const ids = living.map(({ id }) => id);
    const isPreferred = preferredReplica(name, ids) === membership.id;
    if (!isPreferred && waitedMs < PREFERENCE_MS) return undefined;
    const token = await claimProcess(database, name, { replica: membership.id, leaseToken: lease.token });
    return token === undefined ? undefined : here(name, token, lease);
  };

  return {
    async place(server, signal) {
      const began = monotonicMs();
      let problem = "no replica has its lease";
      for (let waitedMs = 0; waitedMs < DECISION_MS; waitedMs = monotonicMs() - began) {
        signal.throwIfAborted();
        try {
          const snapshot = await membership.look(server.name, signal);
          const placement = await decide(server, snapshot, waitedMs);
          if (placement) return placement;
        } catch (error) {
          signal.throwIfAborted();
          problem = reasonOf(error);
        }
      }
      throw new UpstreamError(`it is not decided which replica runs it: ${problem}`);
    },
    onLease: (listener) => membership.onLease((lease) => listener(processLease(lease))),
    tokenOf: (server) => tokens.get(server),
  };
}

const processLease = (lease: Lease): ProcessLease => ({
  id: String(lease.token),
  until: lease.until,
  isHeld: lease.isHeld,
  lost: lease.lost,
});
