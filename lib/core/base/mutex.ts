/** Lets one holder at a time go on, in the order in which they asked. */
export interface Mutex {
  /**
   * Waits until nobody else holds it.
   *
   * @param signal ends the wait with the signal's reason
   * @returns gives it back; to be called in a `finally`
   */
  hold(signal?: AbortSignal): Promise<() => void>;
}

export function createMutex(): Mutex {
  const waiting = new Set<() => void>();
  let held = false;

  const release = () => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else held = false;
  };
  const once = () => {
    let given = true;
    return () => {
      if (given) release();
      given = false;
    };
  };

  return {
    async hold(signal) {
      signal?.throwIfAborted();
      if (!held) {
        held = true;
        return once();
      }
      await new Promise<void>((done, fail) => {
        const begin = () => {
          signal?.removeEventListener("abort", leave);
          done();
        };
        const leave = () => {
          waiting.delete(begin);
          fail(signal?.reason);
        };
        signal?.addEventListener("abort", leave, { once: true });
        waiting.add(begin);
      });
      return once();
    },
  };
}
