/**
 * Runs functions with the same key one after the other, in the order of the calls. A failure does not affect the next
 * one.
 */
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
