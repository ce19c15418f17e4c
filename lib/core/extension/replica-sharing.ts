import { part } from "../app.ts";
import type { AttemptLimit, AttemptLimits } from "../base/attempt-limit.ts";
import type { EventOf } from "../schema/event.ts";

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

export type BroadcastKind = "session_ended" | "session_message";

interface Broadcast {
  readonly kind: BroadcastKind;
  readonly body: string;
}

interface FailedAttemptDecay {
  /** Attempts beyond this number are not counted. */
  readonly max: number;
  /** The time after which one attempt no longer counts. (ms) */
  readonly everyMs: number;
}

/**
 * Values of one kind that end by themselves, such as sign-ins under way. They are in memory, or, if replicas share a
 * database, there, so that the sign-in that began at one replica is finished at another one.
 */
export interface ShortLivedValues {
  /** Stores a value, which JSON can express. If there are too many, the oldest is dropped. */
  put(key: string, value: unknown, life: ValueLife): Promise<void>;
  get(key: string): Promise<unknown>;
  /** Returns and removes a value. Of several callers at once, one gets it. */
  take(key: string): Promise<unknown>;
  /**
   * Changes a value in one step with reading it; without such a value nothing is done.
   *
   * @param edit returns the new value, or undefined to change nothing; it may be called several times
   * @returns whether the value was changed
   */
  change(key: string, edit: (current: unknown) => unknown): Promise<boolean>;
  /** Removes the values of a group. */
  removeGroup(group: string): Promise<void>;
}

interface ValueLife {
  readonly lifetimeMs: number;
  /** Values that end together, or that one peer may have only few of. */
  readonly group?: string | undefined;
}

export interface ValueKind {
  readonly name: string;
  /** Approximate maximum number of values, in total and of one group. */
  readonly max: number;
  readonly maxOfGroup?: number;
}

/** Opens the values of each kind. */
export type OpenShortLivedValues = (kind: ValueKind) => ShortLivedValues;

/** Events of a replica that were too many to be shared. */
export interface OmittedEvents {
  readonly kind: "omitted";
  readonly count: number;
}

/**
 * The recent events by number, for readers that return: those of this process or, if there are replicas, of all of them
 * in one order, so that a reader may return to another replica.
 */
export interface EventHistory {
  /** The numbers of the oldest stored event and of the latest. */
  readonly first: number;
  readonly last: number;
  /** Returns the event with this number; undefined if it is no longer stored. */
  eventAt(number: number): EventOf | OmittedEvents | undefined;
  /** Names the position after the event with this number. A position of another history has another name. */
  positionId(number: number): string;
  /** The event after which streams end, because the process stops. It may have no number. */
  readonly farewell: EventOf | undefined;
  /** Calls `listener` when there are new events. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
}

/**
 * Work that only one replica does at a time, such as delivering records to a receiver. Another replica takes over when
 * the first one stops or is killed, so work must begin where its stored progress says.
 */
export interface SoleWork {
  /**
   * Runs the work whenever this replica is the one to do it. The signal of the work aborts when it is no longer, and the
   * work must then end soon. Work that fails or ends is not started again at this replica until it is its turn again.
   *
   * @returns a promise that resolves when `signal` has aborted and the work has ended
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

export const replicaSharing = part<ReplicaSharing | undefined>("replicaSharing", () => undefined);
