import { part } from "../app.ts";
import type { AttemptLimit, AttemptLimits } from "../base/attempt-limit.ts";
import type { EventHistory } from "./event-history.ts";
import type { OpenShortLivedValues } from "./short-lived-values.ts";
import type { SoleWork } from "./sole-work.ts";

/** What replicas of the proxy share besides the store. Undefined if this proxy is alone. */
export interface ReplicaSharing {
  /** Identifies this replica by its data directory, also after a restart. */
  readonly replica: string;
  readonly shortLivedValues: OpenShortLivedValues;
  /** Returns a limit that counts the attempts at all replicas. */
  attemptLimit(name: string, limits: AttemptLimits): AttemptLimit;
  /** The events of all replicas. */
  readonly events: EventHistory;
  readonly soleWork: SoleWork;
  /** Sends a message to all other replicas, which get it in the order of sending. Never throws, never waits. */
  broadcast(kind: BroadcastKind, body: string): void;
  /**
   * Calls `listener` with the messages of other replicas, and without any if some were lost, as after a long outage of
   * the database. @returns a function that unsubscribes
   */
  onBroadcast(listener: (message: Broadcast | undefined) => void): () => void;
  /**
   * Adds failed attempts to authenticate to those that all replicas count, and calls `onCounted` with the number that
   * still counts. Never throws, never waits: while the database is away, each replica counts alone.
   */
  countFailedAttempt(key: string, decay: FailedAttemptDecay, onCounted: (wrong: number) => void): void;
}

export type BroadcastKind = "session_ended";

export interface Broadcast {
  readonly kind: BroadcastKind;
  readonly body: string;
}

export interface FailedAttemptDecay {
  /** Attempts beyond this number are not counted. */
  readonly max: number;
  /** The time after which one attempt no longer counts. (ms) */
  readonly everyMs: number;
}

export const replicaSharing = part<ReplicaSharing | undefined>("replicaSharing", () => undefined);
