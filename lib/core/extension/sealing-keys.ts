import { part } from "../app.ts";
import { createSealingKeys, type SealingKeys } from "../secrets/sealing-keys.ts";

/** The keys that stored credentials and answers are sealed with: one ring for all, so that two do not make a key each. */
export const sealingKeys = part<SealingKeys>("sealingKeys", ({ boot, log }) =>
  createSealingKeys(boot.dataDir, boot.keyring, log.tagged("oauth")),
);
