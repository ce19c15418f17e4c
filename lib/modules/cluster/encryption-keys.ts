import { reasonOf } from "../../core/base/fault.ts";
import { isEncryptionKey } from "../../core/config/edition.ts";
import type { Secrets } from "../../core/secrets/secrets.ts";
import { Fault } from "./faults.ts";

/**
 * Resolves the keys that all replicas share.
 *
 * @returns at least one key
 * @throws Fault cluster_key_missing
 */
export async function encryptionKeys(
  texts: readonly string[],
  { resolve }: Pick<Secrets, "resolve">,
): Promise<readonly Buffer[]> {
  if (texts.length === 0) throw new Fault("cluster_key_missing", { reason: "there is none" });
  return await Promise.all(
    texts.map(async (text, index) => {
      const key = await resolve(text).catch((cause) => {
        throw new Fault("cluster_key_missing", { reason: reasonOf(cause) }, { cause });
      });
      if (!isEncryptionKey(key))
        throw new Fault("cluster_key_missing", { reason: `number ${index + 1} is not 32 bytes in base64` });
      return Buffer.from(key.trim(), "base64");
    }),
  );
}
