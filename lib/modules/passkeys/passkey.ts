import { hash } from "node:crypto";
import * as v from "valibot";

/** A passkey with which the administrator signs in to the control panel. It contains no secret. */
export const Passkey = v.object({
  /** Short name for lists and commands, made from the credential ID. */
  id: v.string(),
  /** The ID that the authenticator chose, in base64url. */
  credentialId: v.string(),
  /** The public key (COSE), in base64url. */
  publicKey: v.string(),
  /** The authenticator's signature counter; 0 for those without one. */
  counter: v.number(),
  transports: v.array(v.string()),
  /** The host name to which browsers bind the passkey (WebAuthn §5.1.2). */
  rpId: v.string(),
  /** The name that the person chose. */
  name: v.string(),
  createdAt: v.number(),
  usedAt: v.exactOptional(v.number()),
});
export type Passkey = v.InferOutput<typeof Passkey>;

/** Returns the short id of a passkey. @param credentialId in base64url */
export const passkeyId = (credentialId: string): string => hash("sha256", credentialId, "hex").slice(0, 16);

const about = v.description;

/** A passkey in lists. */
export const PasskeyEntry = v.object({
  id: v.string(),
  name: v.string(),
  host: v.pipe(v.string(), about("host name of the control panel at which the passkey works")),
  created_at: v.string(),
  last_used_at: v.optional(v.string()),
});
export type PasskeyEntry = v.InferOutput<typeof PasskeyEntry>;

const text = v.pipe(v.string(), v.maxLength(4096));
/** An attestation can contain certificates. */
const longText = v.pipe(v.string(), v.maxLength(64 * 1024));

/** What every response of an authenticator contains (WebAuthn §5.1, as JSON). */
const common = {
  id: text,
  rawId: text,
  type: v.literal("public-key"),
  authenticatorAttachment: v.optional(v.picklist(["platform", "cross-platform"])),
  clientExtensionResults: v.optional(v.looseObject({}), {}),
};

/** The response of an authenticator that made a passkey. */
export const NewPasskey = v.object({
  ...common,
  response: v.object({
    clientDataJSON: text,
    attestationObject: longText,
    transports: v.optional(v.pipe(v.array(text), v.maxLength(10))),
  }),
});
export type NewPasskey = v.InferOutput<typeof NewPasskey>;

/** The response of an authenticator that proves to have a passkey. */
export const ShownPasskey = v.object({
  ...common,
  response: v.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: v.optional(text),
  }),
});
export type ShownPasskey = v.InferOutput<typeof ShownPasskey>;
