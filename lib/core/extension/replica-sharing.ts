import { part } from "../app.ts";
import type { AttemptLimit, AttemptLimits } from "../base/attempt-limit.ts";
import type { OpenShortLivedValues } from "./short-lived-values.ts";

/** What replicas of the proxy share besides the store. Undefined if this proxy is alone. */
export interface ReplicaSharing {
  readonly shortLivedValues: OpenShortLivedValues;
  /** Returns a limit that counts the attempts at all replicas. */
  attemptLimit(name: string, limits: AttemptLimits): AttemptLimit;
  /**
   * Adds failed attempts to authenticate to those that all replicas count, and calls `onCounted` with the number that
   * still counts. Never throws, never waits: while the database is away, each replica counts alone.
   */
  countFailedAttempt(key: string, decay: FailedAttemptDecay, onCounted: (wrong: number) => void): void;
}

export interface FailedAttemptDecay {
  /** Attempts beyond this number are not counted. */
  readonly max: number;
  /** The time after which one attempt no longer counts. (ms) */
  readonly everyMs: number;
}

export const replicaSharing = part<ReplicaSharing | undefined>("replicaSharing", () => undefined);
