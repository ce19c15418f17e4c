import type { Clock } from "../../base/clock.ts";

interface LineRate {
  /** Lines let through in one window. */
  lines: number;
  windowMs: number;
}

/**
 * Lets so many lines through to `write`; how many more there were is one line at the end of the window. An upstream
 * may be as noisy as it likes without filling memory or disk.
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

/** Lines nobody waits for that a stream may bring in one window before it has to wait for the next. */
const MAX_USELESS = 1000;
const GATE_MS = 100;

/** Slows a stream down that says much nobody asked for, so that it costs a bounded share of the processor. */
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

  /** One more useless line. */
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

  /** Nothing more is taken from the stream until a message has been read. @param read never rejects */
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
