import { hash, randomBytes } from "node:crypto";
import type { App } from "../../core/app.ts";
import { shortLivedValues } from "../../core/extension/short-lived-values.ts";

/** A sign-in between login and callback. It is never written to the disk of this machine (spec 001 §4.3, §8). */
export interface Pending {
  readonly verifier: string;
  readonly nonce: string;
  /** The redirect URI as sent to the provider. */
  readonly redirectUri: string;
  /** Where the browser goes afterwards: a path of this service. */
  readonly path: string;
  /** SHA-256 of the content of the browser's cookie. */
  readonly browser: string;
}

/** Maximum duration of a sign-in at the provider (ms). */
export const PENDING_MS = 600_000;
/** Maximum number of sign-ins in progress, in total and from one address; beyond it the oldest is removed. */
const PENDING = { name: "user sign-in", max: 10_000, maxOfGroup: 200 };

/** The SHA-256 of a text in hexadecimal digits. */
export const sha256Hex = (text: string) => hash("sha256", text, "hex");
/** A secret of 256 random bits, as base64url. */
export const randomSecret = () => randomBytes(32).toString("base64url");

/** Stores a sign-in by its state. @param from the address of the client */
export async function rememberSignIn(
  app: Pick<App, "part">,
  state: string,
  { pending, from }: { pending: Pending; from: string },
): Promise<void> {
  await app.part(shortLivedValues)(PENDING).put(state, pending, { lifetimeMs: PENDING_MS, group: from });
}

/** Returns and removes the sign-in of a state, so that the state can be used once. */
export async function takeSignIn(app: Pick<App, "part">, state: string): Promise<Pending | undefined> {
  return (await app.part(shortLivedValues)(PENDING).take(state)) as Pending | undefined;
}
