import type { Writable } from "node:stream";
import { nextLoopTurn } from "./loop-share.ts";

/** Most characters written in one go. */
const PIECE = 256 * 1024;

/**
 * Texts on their way to a stream, in their order. A large one is written a piece at a time, others having turns between,
 * and no faster than it is read; small ones go at once where none is before them.
 */
export class Outbox {
  /** Characters and bytes that the stream has not been given yet. */
  waiting = 0;
  private readonly out: Writable;
  private readonly texts: (string | Buffer)[] = [];
  private writing: Promise<void> | undefined;
  private ending = false;

  constructor(out: Writable) {
    this.out = out;
  }

  write(text: string | Buffer): void {
    if (!this.writing && text.length <= PIECE) {
      this.out.write(text);
      return;
    }
    this.texts.push(text);
    this.waiting += text.length;
    this.writing ??= this.writeAll();
  }

  /** Ends the stream when everything has been written. */
  end(): void {
    this.ending = true;
    if (!this.writing) this.out.end();
  }

  /** Resolves when the stream has been given everything, or takes nothing any more. */
  async written(): Promise<void> {
    await this.writing;
  }

  /** Never rejects: what a stream that is over does not take is lost, as it is for every writer. */
  private async writeAll(): Promise<void> {
    for (let text = this.texts.shift(); text !== undefined; text = this.texts.shift()) {
      for (let at = 0; at < text.length && this.isOpen; ) {
        const end = pieceEnd(text, at);
        const isTaken = this.out.write(typeof text === "string" ? text.slice(at, end) : text.subarray(at, end));
        this.waiting -= end - at;
        at = end;
        if (!isTaken) await drained(this.out);
        await nextLoopTurn();
      }
    }
    this.waiting = 0;
    this.writing = undefined;
    if (this.ending) this.out.end();
  }

  private get isOpen(): boolean {
    return !this.out.destroyed && !this.out.writableEnded;
  }
}

/** A character of two code units is not cut in two. */
function pieceEnd(text: string | Buffer, at: number): number {
  const end = at + PIECE;
  if (end >= text.length) return text.length;
  if (typeof text !== "string") return end;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** Resolves when the stream takes more, or is over. */
function drained(out: Writable): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      for (const event of EVENTS) out.off(event, over);
      done();
    };
    for (const event of EVENTS) out.on(event, over);
  });
}

const EVENTS = ["drain", "close", "error"] as const;
