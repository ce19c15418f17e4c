import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { call } from "./api.ts";
import { signIn } from "./session.ts";

/** Signs in with a passkey, for which the browser asks the person. @throws Refused, Away, or the browser's error */
export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  // The library on the proxy's side made the options; the API describes only a part of them.
  const optionsJSON = (await call(
    "POST /ui/session/challenge",
    {},
  )) as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const proof = { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) };
  await signIn({ passkey: { id, rawId, type, response: proof } });
}

/** Makes a passkey in this browser and registers it. @throws Refused, Away, or the browser's error */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  // Likewise.
  const optionsJSON = (await call(
    "POST /ui/passkeys/challenge",
    {},
  )) as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const made = { clientDataJSON, attestationObject, transports };
  await call("POST /ui/passkeys", { body: { name, passkey: { id, rawId, type, response: made } } });
}
