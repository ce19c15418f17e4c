import { randomBytes, randomUUID } from "node:crypto";

const REQUEST_ID = /^[a-zA-Z0-9_-]{1,256}$/;
const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** The client's request id when it is well formed, else a UUID v4 (spec 000 §4.1). */
export function requestId(asked: string | undefined): string {
  return asked !== undefined && REQUEST_ID.test(asked) ? asked : randomUUID();
}

let lastMs = 0;
let lastSeq = 0;
let lastTime = "";

/** A record id that sorts by creation: 10 characters of time, 4 of sequence within the millisecond, 10 random. */
export function recordId(nowMs: number): string {
  if (nowMs > lastMs) {
    [lastMs, lastSeq] = [nowMs, 0];
    lastTime = base32(nowMs, 10);
  } else lastSeq++;
  return lastTime + base32(lastSeq, 4) + random32(10);
}

/** An MCP session id: 32 characters nobody can guess. */
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

/** Randomness fetched ahead: asking for ten bytes costs as much as asking for a thousand. Each byte is used once. */
let pool = Buffer.alloc(0);
let taken = 0;

function random32(length: number): string {
  if (taken + length > pool.length) {
    pool = randomBytes(1024);
    taken = 0;
  }
  let out = "";
  for (const end = taken + length; taken < end; taken++) out += BASE32[pool[taken]! & 31];
  return out;
}
