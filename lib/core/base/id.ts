import { randomBytes, randomUUID } from "node:crypto";

const REQUEST_ID = /^[a-zA-Z0-9_-]{1,256}$/;
const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns the client's request id if it is well-formed, otherwise a UUID v4 (spec 000 §4.1). */
export function requestId(sentId: string | undefined): string {
  return sentId !== undefined && REQUEST_ID.test(sentId) ? sentId : randomUUID();
}

/** Makes a record id that sorts by creation: 10 characters of time, 4 of sequence within the millisecond, 10 random. */
export function recordId(nowMs: number): string {
  return tick(nowMs) + random32(10);
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
  return random32(32);
}

function base32(n: number, width: number): string {
  let out = "";
  for (let i = 0; i < width; i++) {
    out = BASE32[n % 32] + out;
    n = Math.floor(n / 32);
  }
  return out;
}

const random32 = randomText();

/** Fetches randomness in advance, because ten bytes cost as much as a thousand. Each byte is used once. */
function randomText(): (length: number) => string {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (length) => {
    if (used + length > pool.length) {
      pool = randomBytes(1024);
      used = 0;
    }
    let out = "";
    for (const end = used + length; used < end; used++) out += BASE32[pool[used]! & 31];
    return out;
  };
}
