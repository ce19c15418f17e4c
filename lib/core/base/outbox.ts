import { nextLoopTurn } from "./loop-share.ts";

/** Maximum number of characters written in one piece. */
const PIECE = 256 * 1024;

/** The members of a writable stream that are used. */
interface OutboxStream {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  write(chunk: string | Buffer): boolean;
  end(): unknown;
  on(event: "drain" | "close" | "error", listener: () => void): unknown;
  off(event: "drain" | "close" | "error", listener: () => void): unknown;
}

/**
 * A queue of texts for a stream. A large text is written in pieces, no faster than the reader takes them, and other
 * work continues in between. A small text is written at once if the queue is empty.
 */
export class Outbox {
  /** Number of characters and bytes that are not yet written to the stream. */
  waiting = 0;
  private readonly out: OutboxStream;
  private readonly texts: (string | Buffer)[] = [];
  private writing: Promise<void> | undefined;
  private ending = false;

  constructor(out: OutboxStream) {
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

  /** Ends the stream once everything is written. */
  end(): void {
    this.ending = true;
    if (!this.writing) this.out.end();
  }

  /** Resolves when everything is written, or the stream is closed. */
  async written(): Promise<void> {
    await this.writing;
  }

  /** Never rejects: text for a closed stream is dropped. */
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

/** Returns where the next piece ends, without splitting a surrogate pair. */
function pieceEnd(text: string | Buffer, at: number): number {
  const end = at + PIECE;
  if (end >= text.length) return text.length;
  if (typeof text !== "string") return end;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** Resolves when the stream accepts more, or is closed. */
function drained(out: OutboxStream): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      for (const event of EVENTS) out.off(event, over);
      done();
    };
    for (const event of EVENTS) out.on(event, over);
  });
}

const EVENTS = ["drain", "close", "error"] as const;
