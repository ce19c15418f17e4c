import type { Clock } from "../../base/clock.ts";

interface LineRate {
  /** Maximum number of lines in one window. */
  lines: number;
  windowMs: number;
}

/**
 * Limits the rate of log lines: further lines are dropped, and one line at the end of the window states their number.
 * So a noisy upstream cannot fill memory or disk.
 */
export function limitLineRate(clock: Clock, { lines, windowMs }: LineRate, write: (line: string) => void) {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (line: string): void => {
    const now = clock.now();
    if (now - since >= windowMs) {
      since = now;
      count = 0;
    }
    if (++count <= lines) write(line);
    else if (count === lines + 1)
      clock.after(windowMs - (now - since), () => write(`… ${count - lines} more lines omitted`));
  };
}

/** Number of useless lines that a stream may send in one window; then it is paused until the next window. */
const MAX_USELESS = 1000;
const GATE_MS = 100;

/** Pauses a stream that sends much useless output, so that reading it takes only a limited share of the processor. */
export class OutputThrottle {
  private readonly clock: Clock;
  private readonly stream: { pause(): unknown; resume(): unknown };
  private since = 0;
  private count = 0;
  private shut = false;
  private holds = 0;

  constructor(clock: Clock, stream: { pause(): unknown; resume(): unknown }) {
    this.clock = clock;
    this.stream = stream;
  }

  /** Counts one useless line. */
  tick(): void {
    if (++this.count < MAX_USELESS || this.shut) return;
    const now = this.clock.now();
    const spent = now - this.since;
    this.since = now;
    this.count = 0;
    if (spent >= GATE_MS) return;
    this.shut = true;
    this.hold();
    this.clock.after(GATE_MS - spent, () => {
      this.shut = false;
      this.since = this.clock.now();
      this.count = 0;
      this.release();
    });
  }

  /** Pauses the stream until a message has been parsed. @param read never rejects */
  holdUntil(read: Promise<unknown>): void {
    this.hold();
    void read.then(() => this.release());
  }

  private hold(): void {
    if (this.holds++ === 0) this.stream.pause();
  }

  private release(): void {
    if (--this.holds === 0) this.stream.resume();
  }
}
