import { hash, randomBytes } from "node:crypto";
import { type App, part } from "../../core/app.ts";

/** A sign-in between login and callback. It is kept in memory only (spec 001 §4.3, §8). */
export interface Pending {
  readonly verifier: string;
  readonly nonce: string;
  /** The redirect URI as sent to the provider. */
  readonly redirectUri: string;
  /** Where the browser goes afterwards: a path of this service. */
  readonly path: string;
  /** SHA-256 of the content of the browser's cookie. */
  readonly browser: string;
  readonly from: string;
  readonly until: number;
}

/** Maximum duration of a sign-in at the provider (ms). */
export const PENDING_MS = 600_000;
/** Maximum number of sign-ins in progress, in total and from one address; beyond it the oldest is removed. */
const MAX_PENDING = 10_000;
const MAX_PER_ADDRESS = 200;

const held = part("pendingUserSignIns", () => new Map<string, Pending>());

/** The SHA-256 of a text in hexadecimal digits. */
export const sha256Hex = (text: string) => hash("sha256", text, "hex");
/** A secret of 256 random bits, as base64url. */
export const randomSecret = () => randomBytes(32).toString("base64url");

/** Stores a sign-in by its state. */
export function rememberSignIn(app: Pick<App, "clock" | "part">, state: string, pending: Pending): void {
  const open = openOnes(app);
  const same = [...open].filter(([, { from }]) => from === pending.from);
  if (same.length >= MAX_PER_ADDRESS) open.delete(same[0]![0]);
  else if (open.size >= MAX_PENDING) open.delete(open.keys().next().value!);
  open.set(state, pending);
}

/** Returns and removes the sign-in of a state, so that the state can be used once. */
export function take(app: Pick<App, "clock" | "part">, state: string): Pending | undefined {
  const open = openOnes(app);
  const pending = open.get(state);
  open.delete(state);
  return pending;
}

/** In order of their start, so that the first ones expire first. */
function openOnes(app: Pick<App, "clock" | "part">): Map<string, Pending> {
  const open = app.part(held);
  const now = app.clock.now();
  for (const [state, { until }] of open) {
    if (now < until) break;
    open.delete(state);
  }
  return open;
}
