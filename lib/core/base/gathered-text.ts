import { isUtf8 } from "node:buffer";

/** Number of bytes decoded in one step. Texts of this size do not burden the garbage collector's scavenger. */
const PIECE_BYTES = 256 * 1024;
/** So many chunks are kept as received; further small ones are merged. */
const FEW = 8;
const SLAB_BYTES = 64 * 1024;

/**
 * Decodes UTF-8 that arrives in chunks. A large text is decoded while it arrives, so that it is never
 * copied as a whole at the end. Work and memory are linear in the bytes received, however they are cut into chunks.
 */
export class GatheredText {
  sizeBytes = 0;
  /** True if the whole text was well-formed UTF-8. Set by `take` if the option `checked` is set. */
  isWellFormed = true;
  private chunks: Buffer[] = [];
  private waitingBytes = 0;
  private slab: Buffer | undefined;
  private filled = 0;
  private text = "";
  private readonly isChecked: boolean;

  constructor({ checked = false } = {}) {
    this.isChecked = checked;
  }

  add(chunk: Buffer): void {
    this.sizeBytes += chunk.length;
    this.waitingBytes += chunk.length;
    this.keep(chunk);
    if (this.waitingBytes < PIECE_BYTES) return;
    const bytes = this.waiting();
    const end = characterEnd(bytes);
    this.text += this.decoded(end === bytes.length ? bytes : bytes.subarray(0, end));
    if (end < bytes.length) {
      this.chunks.push(bytes.subarray(end));
      this.waitingBytes = bytes.length - end;
    }
  }

  /** Returns the whole text and empties the buffer. */
  take(): string {
    const last = this.waitingBytes > 0 ? this.decoded(this.waiting()) : "";
    const text = this.text === "" ? last : this.text + last;
    this.text = "";
    this.sizeBytes = 0;
    return text;
  }

  private decoded(bytes: Buffer): string {
    if (this.isChecked && !isUtf8(bytes)) this.isWellFormed = false;
    return bytes.toString("utf8");
  }

  /** Very small chunks are merged into slabs, so that their overhead does not exceed their content. */
  private keep(chunk: Buffer): void {
    if (this.chunks.length < FEW || chunk.length > SLAB_BYTES / 4) {
      this.closeSlab();
      this.chunks.push(chunk);
      return;
    }
    if (this.slab && this.filled + chunk.length > SLAB_BYTES) this.closeSlab();
    this.slab ??= Buffer.allocUnsafe(SLAB_BYTES);
    this.filled += chunk.copy(this.slab, this.filled);
  }

  private closeSlab(): void {
    if (this.slab) this.chunks.push(this.slab.subarray(0, this.filled));
    this.slab = undefined;
    this.filled = 0;
  }

  private waiting(): Buffer {
    this.closeSlab();
    const { chunks } = this;
    this.chunks = [];
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.waitingBytes);
    this.waitingBytes = 0;
    return whole;
  }
}

/** Returns the index after the last complete character. */
function characterEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
