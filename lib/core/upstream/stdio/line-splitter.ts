import { GatheredText } from "../../base/gathered-text.ts";

/** Maximum size of an upstream's message, and of a line of its output (bytes). A larger response fails its request. */
export const MAX_UPSTREAM_MESSAGE_BYTES = 64 * 1024 * 1024;

/** How much of both ends of a skipped line is kept, to find the id of the response that it was. (bytes) */
const KEPT = 256;

const LF = 10;
const CR = 13;
const NOTHING = Buffer.alloc(0);

export interface LineHandler {
  line(text: string): void;
  /** Called when a line was too long and was skipped; it was never in memory as a whole. */
  tooLong(head: string, tail: string, bytes: number): void;
}

/** Splits a byte stream into lines. Time and memory are proportional to the input, whatever the size of its chunks. */
export class LineSplitter {
  private readonly gathered = new GatheredText();
  private head: Buffer = NOTHING;
  private last: Buffer = NOTHING;
  private size = 0;
  private skipped: { head: Buffer; tail: Buffer } | undefined;
  private readonly to: LineHandler;
  private readonly maxBytes: number;

  constructor(to: LineHandler, maxBytes = MAX_UPSTREAM_MESSAGE_BYTES) {
    this.to = to;
    this.maxBytes = maxBytes;
  }

  feed(chunk: Buffer): void {
    let at = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, at)) {
      if (this.size === 0 && end - at <= this.maxBytes)
        this.to.line(chunk.toString("utf8", at, withoutCr(chunk, at, end)));
      else this.finish(chunk.subarray(at, end));
      at = end + 1;
    }
    if (at < chunk.length) this.keep(at === 0 ? chunk : chunk.subarray(at));
  }

  /** Ends the stream. Remaining text without a line end counts as a line. */
  end(): void {
    if (this.size > 0) this.finish(NOTHING);
  }

  private keep(part: Buffer): void {
    if (this.size === 0) this.head = part;
    else if (this.head.length < KEPT) this.head = headOf(this.head, part);
    this.size += part.length;
    if (this.skipped) this.skipped.tail = tailOf(this.skipped.tail, part);
    else this.gathered.add(part);
    if (!this.skipped && this.size > this.maxBytes) {
      this.skipped = { head: Buffer.from(this.head.subarray(0, KEPT)), tail: tailOf(this.last, part) };
      this.gathered.take();
    }
    this.last = part;
  }

  private finish(part: Buffer): void {
    this.keep(part);
    const { size, skipped } = this;
    this.size = 0;
    this.head = NOTHING;
    this.last = NOTHING;
    this.skipped = undefined;
    if (skipped) this.to.tooLong(skipped.head.toString("latin1"), skipped.tail.toString("latin1"), size);
    else this.to.line(withoutLastCr(this.gathered.take()));
  }
}

function withoutCr(bytes: Buffer, start: number, end: number): number {
  return end > start && bytes[end - 1] === CR ? end - 1 : end;
}

function withoutLastCr(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

function headOf(before: Buffer, part: Buffer): Buffer {
  return Buffer.concat([before, part.subarray(0, KEPT - before.length)]);
}

function tailOf(before: Buffer, part: Buffer): Buffer {
  return Buffer.from(
    part.length >= KEPT ? part.subarray(-KEPT) : Buffer.concat([before.subarray(-KEPT), part]).subarray(-KEPT),
  );
}
