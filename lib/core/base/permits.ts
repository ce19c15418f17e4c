/** A fixed number of places; nobody waits for one. */
interface Permits {
  /** A place, as what gives it back (once, however often it is called); undefined when all are taken. */
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
      let held = true;
      return () => {
        if (held) taken--;
        held = false;
      };
    },
    get taken() {
      return taken;
    },
    limit,
  };
}
