/** Spaces out writes, so that each takes what has gathered since the one before. */
export interface WritePace {
  /** Waits until the next write may begin, at least for one turn of the event loop. */
  next(): Promise<void>;
  /** Lets the write that waits, or else the next one, begin at once. */
  hurry(): void;
}

/** @param gapMs the time from the beginning of one write to that of the next, if nobody hurries */
export function createWritePace(gapMs: number): WritePace {
  let beganAt = Number.NEGATIVE_INFINITY;
  let isHurried = false;
  let begin: (() => void) | undefined;
  return {
    async next() {
      await new Promise((done) => setImmediate(done));
      const waitMs = beganAt + gapMs - performance.now();
      if (waitMs > 0 && !isHurried)
        await new Promise<void>((done) => {
          const timer = setTimeout(done, waitMs);
          begin = () => {
            clearTimeout(timer);
            done();
          };
        });
      begin = undefined;
      isHurried = false;
      beganAt = performance.now();
    },
    hurry() {
      isHurried = true;
      begin?.();
    },
  };
}
