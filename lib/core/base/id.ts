import { randomFillSync } from "node:crypto";

const REQUEST_ID = /^[a-zA-Z0-9_-]{1,256}$/;
const DASH = 45;
const HEX_CODES = Buffer.from("0123456789abcdef");
const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
const BASE32_CODES = Buffer.from(BASE32);

/** Returns the client's request id if it is well-formed, otherwise a UUID v4 (spec 000 §4.1). */
export function requestId(sentId: string | undefined): string {
  return sentId !== undefined && REQUEST_ID.test(sentId) ? sentId : random.uuid();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns a UUID of version 4, in lower case, without its dashes; undefined for any other text. */
export function uuidDigits(id: string): string | undefined {
  if (id.length !== 36 || !UUID.test(id)) return undefined;
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
}

/** Makes a record id that sorts by creation: 10 characters of time, 4 of sequence within the millisecond, 10 random. */
export function recordId(nowMs: number): string {
  return tick(nowMs) + random.base32(10);
}

/**
 * All Apps of a process share one clock for ids: an App that is closed and opened again on the same data must not
 * create an id that sorts before its last one, even if the system clock went back in between.
 */
const tick = idClock();

function idClock(): (nowMs: number) => string {
  let lastMs = 0;
  let sequence = 0;
  let time = "";
  return (nowMs) => {
    if (nowMs > lastMs) {
      [lastMs, sequence] = [nowMs, 0];
      time = base32(nowMs, 10);
    } else sequence++;
    return time + base32(sequence, 4);
  };
}

/** Makes an MCP session id of 32 characters that cannot be guessed. */
export function sessionId(): string {
  return random.base32(32);
}

/** Makes the id of a trace or of a span in lower-case hexadecimal digits (W3C Trace Context: 16 and 8 bytes). */
export function hexId(byteCount: 8 | 16): string {
  return random.hex(byteCount);
}

function base32(n: number, width: number): string {
  let out = "";
  for (let i = 0; i < width; i++) {
    out = BASE32[n % 32] + out;
    n = Math.floor(n / 32);
  }
  return out;
}

const random = createRandomText();

/**
 * Makes texts from randomness that is fetched in advance, because ten bytes cost as much as a thousand. Each byte is
 * used once. The characters are gathered in a buffer: joining them one by one, as `randomUUID` does too, takes ten times
 * as much memory.
 */
function createRandomText() {
  const pool = Buffer.alloc(4096);
  const text = Buffer.alloc(64);
  let used = pool.length;

  const next = (): number => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used]!;
    pool[used++] = 0;
    return byte;
  };

  return {
    /** @param length at most 64 */
    base32(length: number): string {
      for (let i = 0; i < length; i++) text[i] = BASE32_CODES[next() & 31]!;
      return text.toString("latin1", 0, length);
    },

    /** @param byteCount at most 32 */
    hex(byteCount: number): string {
      for (let at = 0; at < byteCount * 2; at += 2) {
        const byte = next();
        text[at] = HEX_CODES[byte >> 4]!;
        text[at + 1] = HEX_CODES[byte & 15]!;
      }
      return text.toString("latin1", 0, byteCount * 2);
    },

    /** Returns a UUID of version 4 (RFC 9562 §5.4). */
    uuid(): string {
      for (let i = 0, at = 0; i < 16; i++, at += 2) {
        let byte = next();
        if (i === 4 || i === 6 || i === 8 || i === 10) text[at++] = DASH;
        if (i === 6) byte = (byte & 0x0f) | 0x40;
        else if (i === 8) byte = (byte & 0x3f) | 0x80;
        text[at] = HEX_CODES[byte >> 4]!;
        text[at + 1] = HEX_CODES[byte & 15]!;
      }
      return text.toString("latin1", 0, 36);
    },
  };
}
