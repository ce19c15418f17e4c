/** A fixed number of places; nobody waits for one. */
export interface Slots {
  /** A place, as what gives it back (once, however often it is called); undefined when all are taken. */
  take(): (() => void) | undefined;
  readonly taken: number;
  readonly most: number;
}

export function createSlots(most: number): Slots {
  let taken = 0;
  return {
    take() {
      if (taken >= most) return undefined;
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
    most,
  };
}
