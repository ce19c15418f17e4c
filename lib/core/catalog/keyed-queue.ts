/** Runs pieces of work one after the other where they share a key, in the order they came; a failure holds up nobody. */
export function createKeyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work);
    const leave = () => {
      if (last.get(key) === turn) last.delete(key);
    };
    const turn = done.then(leave, leave);
    last.set(key, turn);
    return done;
  };
}
