import { LRUCache } from "lru-cache";
import { type App, part } from "../../app.ts";
import { isLoopback } from "../../base/host-port.ts";

/** Wrong credentials that one address may show at once, and how long it takes until it may show another (ms). */
const ELSEWHERE = { most: 20, everyMs: 3000 };
/** Programs of this machine share one address: a stale key in one of them must not lock out the others. */
const HERE = { most: 300, everyMs: 200 };
/** Addresses remembered; the one that was quiet for longest is forgotten. */
const ADDRESSES = 10_000;

interface Bucket {
  /** Wrong credentials that count at `at`. */
  wrong: number;
  at: number;
}

/** What counting needs of the App. */
type AttemptsApp = Pick<App, "clock" | "part">;
/** By address. */
const attempts = part("attempts", () => new LRUCache<string, Bucket>({ max: ADDRESSES }));

/** Counts a wrong credential. @returns how long to wait before the next (ms), 0 while there is room */
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
 * How long an address has to wait before its credentials are looked at again (ms); 0: not at all. An address of this
 * machine never waits: there only what is wrong is answered with a refusal to try on.
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

/** Of an IPv6 address its network: whoever has one has all of them. */
function keyOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}
