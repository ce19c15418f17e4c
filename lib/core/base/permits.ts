/** A fixed number of permits, without a queue. */
interface Permits {
  /** Takes a permit and returns its release function, which is idempotent; undefined if all are taken. */
  take(): (() => void) | undefined;
  readonly taken: number;
  readonly limit: number;
}

export function createPermits(limit: number): Permits {
  let taken = 0;
  return {
    take() {
      if (taken >= limit) return undefined;
      taken++;
      let isTaken = true;
      return () => {
        if (isTaken) taken--;
        isTaken = false;
      };
    },
    get taken() {
      return taken;
    },
    limit,
  };
}
