import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Names of the checksums of a release and of their signature. */
export const SUMS_FILE = "SHA256SUMS";
export const SIGNATURE_FILE = "SHA256SUMS.sig";

/**
 * Reads a public Ed25519 key: PEM, or the base64 of its DER form (SubjectPublicKeyInfo).
 *
 * @throws Error for any other text or kind of key
 */
export function releaseKey(text: string): KeyObject {
  const key = text.includes("BEGIN")
    ? createPublicKey(text)
    : createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
  if (key.asymmetricKeyType !== "ed25519") throw new Error("the release key is not an Ed25519 key");
  return key;
}

/**
 * Verifies the signature of a release's checksums.
 *
 * @param sums the file as published: lines of `<sha256>  <file>`
 * @param signature base64 of the Ed25519 signature of that file
 * @returns the SHA-256 of each file, in hex
 * @throws Error if the signature does not match
 */
export function releaseSums(sums: string, signature: string, key: KeyObject): Map<string, string> {
  if (!verify(null, Buffer.from(sums, "utf8"), key, Buffer.from(signature.trim(), "base64")))
    throw new Error(`the signature of ${SUMS_FILE} is invalid; nothing was installed`);
  const found = new Map<string, string>();
  for (const line of sums.split("\n")) {
    const [, hash, name] = /^([0-9a-f]{64})[ *]{2}(\S+)$/.exec(line.trimEnd()) ?? [];
    if (hash !== undefined && name !== undefined) found.set(name, hash);
  }
  return found;
}
