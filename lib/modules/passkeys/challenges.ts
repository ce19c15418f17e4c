import { randomBytes } from "node:crypto";
import { type App, part } from "../../core/app.ts";
import type { AttemptLimit } from "../../core/base/attempt-limit.ts";
import { sameJson } from "../../core/base/json-object.ts";
import { openAttemptLimit } from "../../core/extension/open-attempt-limit.ts";
import { shortLivedValues } from "../../core/extension/short-lived-values.ts";
import { Fault } from "./faults.ts";

/** How long a person may take at the authenticator. (ms) */
export const CHALLENGE_MS = 5 * 60_000;
const CHALLENGES = { name: "passkey challenge", max: 1000 };
/** Limits for challenges, which anybody can request. */
const LIMITS = { perKey: 30, total: 300, windowMs: 60_000 };

type Purpose = "register" | "sign in";

const requests = part<AttemptLimit>("passkeyChallengeLimit", (app) => openAttemptLimit(app, "passkey", LIMITS));

type ChallengeApp = Pick<App, "part">;

/** Makes a challenge, which an authenticator signs. @throws Fault passkey_busy */
export async function issueChallenge(
  app: ChallengeApp,
  purpose: Purpose,
  rpId: string,
  clientIp = "local",
): Promise<string> {
  const waitMs = await app.part(requests).take(clientIp);
  if (waitMs > 0) throw new Fault("passkey_busy", { retryAfterMs: waitMs });
  const challenge = randomBytes(32).toString("base64url");
  await app.part(shortLivedValues)(CHALLENGES).put(challenge, { purpose, rpId }, { lifetimeMs: CHALLENGE_MS });
  return challenge;
}

/** Uses up a challenge. @returns false if it was not issued for this, was used, or is too old */
export async function takeChallenge(
  app: ChallengeApp,
  challenge: string,
  purpose: Purpose,
  rpId: string,
): Promise<boolean> {
  return sameJson(await app.part(shortLivedValues)(CHALLENGES).take(challenge), { purpose, rpId });
}
