/** Things by name, each made when it is first asked for. */
interface OnDemand<V> {
  get(name: string): V;
  /** Those that are there now. */
  all(): V[];
}

/**
 * Keeps things by name as long as they are busy; quiet ones are forgotten when there are many, and made anew when they
 * are asked for again. So names that never come back take no memory.
 *
 * @param most how many are kept before quiet ones are forgotten; busy ones may be more
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
