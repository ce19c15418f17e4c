// @ts-check
/**
 * Signs the checksums of a release, which `proxy upgrade` verifies: `SHA256SUMS.sig` is the base64 of the Ed25519
 * signature of `SHA256SUMS`. `node build/sign.mjs <folder>` reads the private key (PEM) from PROXY_SIGNING_KEY.
 */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @param {string} folder @param {string} privateKey PEM @returns {string} the public key, for `PROXY_RELEASE_KEY` */
export function signRelease(folder, privateKey) {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("the signing key is not an Ed25519 key");
  const signature = sign(null, readFileSync(join(folder, "SHA256SUMS")), key);
  writeFileSync(join(folder, "SHA256SUMS.sig"), `${signature.toString("base64")}\n`);
  return createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder = "dist/packages"] = process.argv;
  const key = process.env.PROXY_SIGNING_KEY;
  if (!key) throw new Error("set PROXY_SIGNING_KEY to the private key, as PEM");
  console.error(`signed ${folder}/SHA256SUMS; build with PROXY_RELEASE_KEY=${signRelease(folder, key)}`);
}
