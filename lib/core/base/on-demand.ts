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
 * @param most number of items above which idle ones are dropped; busy ones are never dropped
 */
export function onDemand<V>(most: number, make: (name: string) => V, idle: (made: V) => boolean): OnDemand<V> {
  const known = new Map<string, V>();
  return {
    get(name) {
      let found = known.get(name);
      if (found !== undefined) return found;
      if (known.size >= most) for (const [other, made] of known) if (idle(made)) known.delete(other);
      found = make(name);
      known.set(name, found);
      return found;
    },
    all: () => [...known.values()],
  };
}
