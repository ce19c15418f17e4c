import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { CHALLENGE_MS, issueChallenge, takeChallenge } from "./challenges.ts";
import { Fault } from "./faults.ts";
import { passkeyEntry } from "./list.ts";
import { type NewPasskey, type Passkey, type PasskeyEntry, passkeyId } from "./passkey.ts";
import { siteOf } from "./site.ts";
import { changePasskeys, storedPasskeys } from "./stored-passkeys.ts";

const MAX_PASSKEYS = 20;
/** The only user; authenticators show the name. */
const USER = { id: new TextEncoder().encode("proxy admin"), name: "admin" };

/**
 * Begins to register a passkey.
 *
 * @param base origin under which the browser reached the control panel
 * @returns the options of `navigator.credentials.create`, as JSON
 * @throws Fault passkey_unavailable, passkey_limit, passkey_busy
 */
export async function beginPasskey(app: App, base: string, by: Actor) {
  const { rpId } = siteOf(app, base);
  const existing = await storedPasskeys(app);
  if (existing.length >= MAX_PASSKEYS) throw new Fault("passkey_limit", { max: MAX_PASSKEYS });
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: "proxy",
    rpID: rpId,
    userName: USER.name,
    userID: USER.id,
    challenge: Buffer.from(await issueChallenge(app, "register", rpId, by.origin.clientIp), "base64url"),
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: existing
      .filter((one) => one.rpId === rpId)
      .map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // It is the only factor, so the authenticator must verify the person, and find the passkey without a user name.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

interface Registration {
  readonly name: string;
  readonly response: NewPasskey;
}

/** Stores a passkey that an authenticator made. @throws Fault passkey_unavailable, passkey_refused, passkey_limit */
export async function addPasskey(
  app: App,
  base: string,
  { name, response }: Registration,
  by: Actor,
): Promise<PasskeyEntry> {
  const { rpId, origin } = siteOf(app, base);
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]["response"],
    expectedChallenge: (challenge) => takeChallenge(app, challenge, "register", rpId),
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw new Fault("passkey_refused", { reason: reasonOf(error).slice(0, 200) }, { cause: error });
  });
  if (!verified) throw new Fault("passkey_refused", { reason: "its response could not be verified" });
  const { credential } = registrationInfo;
  const passkey: Passkey = {
    id: passkeyId(credential.id),
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: credential.transports ?? [],
    rpId,
    name,
    createdAt: app.clock.now(),
  };
  await changePasskeys(app, (now) => {
    const others = now.filter(({ id }) => id !== passkey.id);
    if (others.length >= MAX_PASSKEYS) throw new Fault("passkey_limit", { max: MAX_PASSKEYS });
    return [...others, passkey];
  });
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "passkey_add", passkey: passkey.id, name, host: rpId },
  });
  return passkeyEntry(passkey);
}
