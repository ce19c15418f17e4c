import { part } from "../app.ts";
import type { Clock } from "../base/clock.ts";
import { type OpenShortLivedValues, replicaSharing, type ShortLivedValues, type ValueKind } from "./replica-sharing.ts";

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
