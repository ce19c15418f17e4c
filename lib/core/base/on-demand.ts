import type { Clock } from "./clock.ts";

/** Items by name, each created on first use. */
interface OnDemand<V> {
  get(name: string): V;
  /** All items that currently exist. */
  all(): V[];
}

interface OnDemandOptions<V> {
  readonly clock: Clock;
  /** Number of items above which idle ones are dropped; busy ones are never dropped. */
  readonly maxValues: number;
  make(name: string): V;
  isIdle(made: V): boolean;
}

/** After a burst, items are busy for a moment. (ms) */
const SWEEP_MS = 1000;

/**
 * Keeps items by name while they are busy. If there are too many, idle items are dropped and created again on their next
 * use, so a name that is used only once does not take memory forever.
 */
export function onDemand<V>({ clock, maxValues, make, isIdle }: OnDemandOptions<V>): OnDemand<V> {
  const values = new Map<string, V>();
  let isSweepDue = false;

  function sweep(): void {
    for (const [name, made] of values) if (isIdle(made)) values.delete(name);
    if (values.size >= maxValues) sweepLater();
  }

  function sweepLater(): void {
    if (isSweepDue) return;
    isSweepDue = true;
    clock.after(SWEEP_MS, () => {
      isSweepDue = false;
      sweep();
    });
  }

  return {
    get(name) {
      let found = values.get(name);
      if (found !== undefined) return found;
      if (values.size >= maxValues) sweep();
      found = make(name);
      values.set(name, found);
      return found;
    },
    all: () => [...values.values()],
  };
}
