/** Items by name, each created on first use. */
interface OnDemand<V> {
  get(name: string): V;
  /** The items that exist now. */
  all(): V[];
}

/**
 * Keeps items by name while they are busy. Idle ones are dropped when there are many, and created again when they
 * are used again, so names that are never used again take no memory.
 *
 * @param most number of items above which idle ones are dropped; there may be more busy ones
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
