import { part } from "../app.ts";
import type { Clock } from "../base/clock.ts";
import { replicaSharing } from "./replica-sharing.ts";

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

/** Without a shared database the values are lost when the process ends. */
export const shortLivedValues = part<OpenShortLivedValues>("shortLivedValues", (app) => {
  const { clock } = app;
  const shared = app.part(replicaSharing);
  if (shared) return shared.shortLivedValues;
  const kinds = new Map<string, ShortLivedValues>();
  return (kind) => {
    const opened = kinds.get(kind.name) ?? valuesInMemory(clock, kind);
    kinds.set(kind.name, opened);
    return opened;
  };
});

interface Held {
  value: unknown;
  readonly until: number;
  readonly group: string | undefined;
}

function valuesInMemory(clock: Pick<Clock, "now">, { max, maxOfGroup }: ValueKind): ShortLivedValues {
  // Oldest first.
  const held = new Map<string, Held>();
  const live = (key: string): Held | undefined => {
    const one = held.get(key);
    return one && clock.now() < one.until ? one : undefined;
  };
  const dropEnded = () => {
    for (const [key, { until }] of held) if (clock.now() >= until) held.delete(key);
  };
  return {
    async put(key, value, { lifetimeMs, group }) {
      held.delete(key);
      dropEnded();
      if (group !== undefined && maxOfGroup !== undefined) {
        const same = [...held].filter(([, one]) => one.group === group);
        if (same.length >= maxOfGroup) held.delete(same[0]![0]);
      }
      if (held.size >= max) held.delete(held.keys().next().value!);
      held.set(key, { value, until: clock.now() + lifetimeMs, group });
    },
    get: async (key) => live(key)?.value,
    async take(key) {
      const one = live(key);
      held.delete(key);
      return one?.value;
    },
    async change(key, edit) {
      const one = live(key);
      const next = one && edit(one.value);
      if (!one || next === undefined) return false;
      one.value = next;
      return true;
    },
    async removeGroup(group) {
      for (const [key, one] of held) if (one.group === group) held.delete(key);
    },
  };
}
