import type { Writable } from "node:stream";
import { Outbox } from "./outbox.ts";

/** Gathered lines of this length are written before the turn ends. (characters) */
const GATHERED = 16 * 1024;

/**
 * A queue of lines for a pipe. Small lines of one turn of the event loop are one write, because each write is a system
 * call and wakes the reader.
 */
export class LineOutbox {
  private readonly outbox: Outbox;
  private lines = "";
  private flushing: NodeJS.Immediate | undefined;

  constructor(out: Writable) {
    this.outbox = new Outbox(out);
  }

  /** Number of characters and bytes that are not yet written to the stream, without the gathered lines. */
  get waiting(): number {
    return this.outbox.waiting;
  }

  /** Writes a text, which may be a part of a line, at the end of the turn or earlier. */
  write(text: string | Buffer): void {
    if (typeof text !== "string" || text.length > GATHERED) {
      this.flush();
      this.outbox.write(text);
      return;
    }
    this.lines += text;
    if (this.lines.length > GATHERED) this.flush();
    else this.flushing ??= setImmediate(this.flush);
  }

  /** Ends the stream once everything is written. */
  end(): void {
    this.flush();
    this.outbox.end();
  }

  /** Resolves when everything is written, or the stream is closed. */
  written(): Promise<void> {
    this.flush();
    return this.outbox.written();
  }

  private readonly flush = (): void => {
    clearImmediate(this.flushing);
    this.flushing = undefined;
    const { lines } = this;
    this.lines = "";
    if (lines !== "") this.outbox.write(lines);
  };
}
