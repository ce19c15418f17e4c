import { LRUCache } from "lru-cache";
import { type App, part } from "../../app.ts";
import { isLoopback } from "../../base/host-port.ts";

/** Failed attempts that one address may make at once, and the time after which it may make another. (ms) */
const ELSEWHERE = { most: 20, everyMs: 3000 };
/** The limit for this machine, whose programs share one address: a stale key in one must not lock out the others. */
const HERE = { most: 300, everyMs: 200 };
/** Largest number of remembered addresses; the least recently used is dropped. */
const ADDRESSES = 10_000;

interface Bucket {
  /** Number of failed attempts that count at the time `at`. */
  wrong: number;
  at: number;
}

/** The members of the App that counting needs. */
type AttemptsApp = Pick<App, "clock" | "part">;
/** By address. */
const attempts = part("attempts", () => new LRUCache<string, Bucket>({ max: ADDRESSES }));

/** Counts a failed attempt. @returns the wait before the next one (ms); 0 below the limit */
export function countFailedAttempt(app: AttemptsApp, address: string | undefined): number {
  if (address === undefined) return 0;
  const { clock } = app;
  const all = app.part(attempts);
  const key = keyOf(address);
  const { most, everyMs } = limitsOf(address);
  const wrong = wrongNow(all.get(key), clock.now(), everyMs);
  all.set(key, { wrong: Math.min(wrong + 1, most + 1), at: clock.now() });
  return wrong >= most ? everyMs : 0;
}

/**
 * How long an address has to wait before its credentials are checked again (ms); 0 for no wait. An address of this
 * machine never waits for a valid credential; only its invalid ones are answered with `too_many_attempts`.
 */
export function attemptLockMs(app: AttemptsApp, address: string | undefined): number {
  if (address === undefined || isLoopback(address)) return 0;
  const bucket = app.part(attempts).peek(keyOf(address));
  if (!bucket) return 0;
  const { most, everyMs } = ELSEWHERE;
  const over = wrongNow(bucket, app.clock.now(), everyMs) - most;
  return over > 0 ? Math.ceil(over * everyMs) : 0;
}

function wrongNow(bucket: Bucket | undefined, now: number, everyMs: number): number {
  return bucket ? Math.max(0, bucket.wrong - Math.max(0, now - bucket.at) / everyMs) : 0;
}

function limitsOf(address: string) {
  return isLoopback(address) ? HERE : ELSEWHERE;
}

/** The key of an address; for IPv6 its network, since one host usually has all addresses of it. */
function keyOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}
