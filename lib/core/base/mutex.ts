/** A mutual exclusion lock, granted in the order of requests. */
export interface Mutex {
  /**
   * Waits until the lock is free and takes it.
   *
   * @param signal ends the wait with the signal's reason
   * @returns the release function; call it in a `finally`
   */
  hold(signal?: AbortSignal): Promise<() => void>;
}

/** Makes a free lock. */
export function createMutex(): Mutex {
  const waiting = new Set<() => void>();
  let isHeld = false;

  const release = () => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else isHeld = false;
  };
  const once = () => {
    let isHolder = true;
    return () => {
      if (isHolder) release();
      isHolder = false;
    };
  };

  return {
    async hold(signal) {
      signal?.throwIfAborted();
      if (!isHeld) {
        isHeld = true;
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
