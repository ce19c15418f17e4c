import { createPrivateKey, type KeyObject, webcrypto } from "node:crypto";
import type { PrivateKey } from "./settings.ts";

type Algorithm = Parameters<typeof webcrypto.subtle.importKey>[2];

/** Names of curves in PEM files, and in WebCrypto. */
const CURVES: Readonly<Record<string, string>> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

/**
 * Reads a private key that signs JWTs (RFC 7523 §2.2).
 *
 * @param supported the algorithms of the authorization server; a key for RSA fits two of them
 * @throws Error if the text is no private key, or one of another kind
 */
export async function signingKey({ pem, id }: PrivateKey, supported: readonly string[] | undefined) {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new Error("oauth.private_key is not an unencrypted private key in PEM format");
  }
  const der = key.export({ type: "pkcs8", format: "der" });
  const imported = await webcrypto.subtle.importKey("pkcs8", der, algorithmOf(key, supported), false, ["sign"]);
  return { key: imported, ...(id !== undefined && { kid: id }) };
}

function algorithmOf(key: KeyObject, supported: readonly string[] | undefined): Algorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = "" } = {} } = key;
  if (type === "ed25519") return { name: "Ed25519" };
  if (type === "ec" && CURVES[namedCurve]) return { name: "ECDSA", namedCurve: CURVES[namedCurve] };
  if (type === "rsa") {
    const isPss = supported?.includes("PS256") && !supported.includes("RS256");
    return { name: isPss ? "RSA-PSS" : "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  }
  throw new Error("oauth.private_key must be a key for RSA, for Ed25519, or for the curves P-256, P-384 and P-521");
}
