/** Largest message of an upstream, and longest line of its output (bytes). More ends that one request with an error. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** How much of an overlong line is kept from each end, enough to find the id of the answer it was. (bytes) */
const KEPT = 256;

/** Pieces kept as they come before small ones are gathered. */
const FEW = 8;
const SLAB_BYTES = 64 * 1024;

const LF = 10;
const CR = 13;

export interface LineHandler {
  line(text: string): void;
  /** A line longer than allowed was passed over; it never was in memory as a whole. */
  tooLong(head: string, tail: string, bytes: number): void;
}

/** Cuts a byte stream into lines. Work and memory are linear in what arrives, however it is cut into chunks. */
export class Lines {
  private parts: Buffer[] = [];
  private slab: Buffer | undefined;
  private filled = 0;
  private size = 0;
  private skipped: { head: Buffer; tail: Buffer } | undefined;
  private readonly to: LineHandler;
  private readonly maxBytes: number;

  constructor(to: LineHandler, maxBytes = MAX_MESSAGE_BYTES) {
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

  /** The stream is over: what has no line end yet is a line too. */
  end(): void {
    if (this.size > 0) this.finish(Buffer.alloc(0));
  }

  private keep(part: Buffer): void {
    this.size += part.length;
    if (this.skipped) {
      this.skipped.tail = tailOf(this.skipped.tail, part);
      return;
    }
    this.add(part);
    if (this.size <= this.maxBytes) return;
    const parts = this.taken();
    this.skipped = { head: headOf(parts), tail: parts.reduce(tailOf, Buffer.alloc(0)) };
  }

  /** A line that dribbles in byte by byte is gathered in slabs, so that its pieces do not outweigh it. */
  private add(part: Buffer): void {
    if (this.parts.length < FEW || part.length > SLAB_BYTES / 4) {
      this.closeSlab();
      this.parts.push(part);
      return;
    }
    if (this.slab && this.filled + part.length > SLAB_BYTES) this.closeSlab();
    this.slab ??= Buffer.allocUnsafe(SLAB_BYTES);
    this.filled += part.copy(this.slab, this.filled);
  }

  private closeSlab(): void {
    if (this.slab) this.parts.push(this.slab.subarray(0, this.filled));
    this.slab = undefined;
    this.filled = 0;
  }

  /** Everything gathered, in order; nothing is left behind. */
  private taken(): Buffer[] {
    this.closeSlab();
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  private finish(part: Buffer): void {
    this.keep(part);
    const { size, skipped } = this;
    const parts = this.taken();
    this.size = 0;
    this.skipped = undefined;
    if (skipped) {
      this.to.tooLong(skipped.head.toString("latin1"), skipped.tail.toString("latin1"), size);
      return;
    }
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts, size);
    this.to.line(whole.toString("utf8", 0, withoutCr(whole, 0, whole.length)));
  }
}

function withoutCr(bytes: Buffer, start: number, end: number): number {
  return end > start && bytes[end - 1] === CR ? end - 1 : end;
}

function headOf(parts: readonly Buffer[]): Buffer {
  let head = Buffer.alloc(0);
  for (const part of parts) {
    head = Buffer.concat([head, part.subarray(0, KEPT - head.length)]);
    if (head.length === KEPT) break;
  }
  return head;
}

function tailOf(before: Buffer, part: Buffer): Buffer {
  return Buffer.from(
    part.length >= KEPT ? part.subarray(-KEPT) : Buffer.concat([before.subarray(-KEPT), part]).subarray(-KEPT),
  );
}
