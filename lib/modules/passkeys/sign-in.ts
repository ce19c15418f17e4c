import { endPasskeySessions, openPasskeySession } from "../../core/api/authenticate/panel-session.ts";
import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { CHALLENGE_MS, issueChallenge, takeChallenge } from "./challenges.ts";
import { Fault } from "./faults.ts";
import type { ShownPasskey } from "./passkey.ts";
import { siteOf } from "./site.ts";
import { changePasskeys, storedPasskeys } from "./stored-passkeys.ts";

/**
 * Begins a sign-in with a passkey.
 *
 * @param base origin under which the browser reached the control panel
 * @returns the options of `navigator.credentials.get`, as JSON. They name no passkey: the authenticator offers its own.
 * @throws Fault passkey_unavailable, passkey_busy
 */
export async function beginPasskeySignIn(app: App, base: string, clientIp: string | undefined) {
  const { rpId } = siteOf(app, base);
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: Buffer.from(await issueChallenge(app, "sign in", rpId, clientIp), "base64url"),
    timeout: CHALLENGE_MS,
    userVerification: "required",
  });
}

/**
 * Exchanges the proof of a passkey for a browser session, which ends when the passkey is removed.
 *
 * @returns the secret for the cookie
 * @throws Fault passkey_unavailable, passkey_refused
 */
export async function signInWithPasskey(
  app: App,
  base: string,
  response: ShownPasskey,
): Promise<{ secret: string; expiresAt: number }> {
  const { rpId, origin } = siteOf(app, base);
  const passkey = (await storedPasskeys(app)).find((one) => one.credentialId === response.id && one.rpId === rpId);
  if (!passkey) throw new Fault("passkey_refused", { reason: "it is not registered here, or was removed" });
  const { id, credentialId, publicKey, counter, transports } = passkey;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]["response"],
    expectedChallenge: (challenge) => takeChallenge(app, challenge, "sign in", rpId),
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: credentialId, publicKey: Buffer.from(publicKey, "base64url"), counter, transports },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw new Fault("passkey_refused", { reason: reasonOf(error).slice(0, 200) }, { cause: error });
  });
  if (!verified) throw new Fault("passkey_refused", { reason: "its signature is wrong" });
  let isStored = false;
  await changePasskeys(app, (now) => {
    isStored = now.some((one) => one.id === id);
    const used = { counter: authenticationInfo.newCounter, usedAt: app.clock.now() };
    return now.map((one) => (one.id === id ? { ...one, ...used } : one));
  });
  if (!isStored) throw new Fault("passkey_refused", { reason: "it was removed" });
  const session = await openPasskeySession(app, id);
  if ((await storedPasskeys(app)).some((one) => one.id === id)) return session;
  // It was removed while the session began, so that the removal could not end it.
  await endPasskeySessions(app, id);
  throw new Fault("passkey_refused", { reason: "it was removed" });
}
