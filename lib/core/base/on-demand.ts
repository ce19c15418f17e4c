/** Items by name, each created on first use. */
interface OnDemand<V> {
  get(name: string): V;
  /** All items that currently exist. */
  all(): V[];
}

/**
 * Keeps items by name while they are busy. If there are more than `most`, idle items are dropped and created again on
 * their next use, so a name that is used only once does not take memory forever.
 *
 * @param maxValues number of items above which idle ones are dropped; busy ones are never dropped
 */
export function onDemand<V>(maxValues: number, make: (name: string) => V, idle: (made: V) => boolean): OnDemand<V> {
  const values = new Map<string, V>();
  return {
    get(name) {
      let found = values.get(name);
      if (found !== undefined) return found;
      if (values.size >= maxValues) for (const [other, made] of values) if (idle(made)) values.delete(other);
      found = make(name);
      values.set(name, found);
      return found;
    },
    all: () => [...values.values()],
  };
}
