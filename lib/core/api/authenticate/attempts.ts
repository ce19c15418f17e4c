import { LRUCache } from "lru-cache";
import { type App, part } from "../../app.ts";
import { isLoopback } from "../../base/host-port.ts";
import { networkOf } from "../../base/network-of.ts";
import { replicaSharing } from "../../extension/replica-sharing.ts";

/**
 * The number of failed attempts that one address may make at once, and the time after which it may make another. (ms)
 */
const ELSEWHERE = { most: 20, everyMs: 3000 };
/**
 * The limit for this machine. All its programs share one address, and an outdated key in one must not lock out the
 * others.
 */
const HERE = { most: 300, everyMs: 200 };
/** Maximum number of stored addresses; the least recently used is dropped. */
const ADDRESSES = 10_000;

interface Bucket {
  /** Number of failed attempts that still count at the time `at`. */
  wrong: number;
  at: number;
}

/** The members of the App that are needed. */
type AttemptsApp = Pick<App, "clock" | "part">;
/** Attempts by address. */
const attempts = part("attempts", () => new LRUCache<string, Bucket>({ max: ADDRESSES }));

/** Counts a failed attempt. @returns how long the address must wait before the next one (ms); 0 below the limit */
export function countFailedAttempt(app: AttemptsApp, address: string | undefined): number {
  if (address === undefined) return 0;
  const { clock } = app;
  const all = app.part(attempts);
  const key = networkOf(address);
  const { most, everyMs } = limitsOf(address);
  const wrong = wrongNow(all.get(key), clock.now(), everyMs);
  all.set(key, { wrong: Math.min(wrong + 1, most + 1), at: clock.now() });
  // The other replicas may have rejected the same address before.
  app.part(replicaSharing)?.countFailedAttempt(key, { max: most + 1, everyMs }, (counted) => {
    const own = wrongNow(all.get(key), clock.now(), everyMs);
    if (counted > own) all.set(key, { wrong: counted, at: clock.now() });
  });
  return wrong >= most ? everyMs : 0;
}

/**
 * Returns how long an address must wait before its credentials are checked again (ms); 0 if it need not wait. This
 * machine's addresses never wait with a valid credential; only their invalid ones are answered with
 * `too_many_attempts`.
 */
export function attemptLockMs(app: AttemptsApp, address: string | undefined): number {
  if (address === undefined || isLoopback(address)) return 0;
  const bucket = app.part(attempts).peek(networkOf(address));
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
