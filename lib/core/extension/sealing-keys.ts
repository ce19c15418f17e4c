import { part } from "../app.ts";
import { createSealingKeys, type SealingKeys } from "../secrets/sealing-keys.ts";

/**
 * The keys that seal stored credentials and responses. All modules share them, so that they do not make several keys.
 */
export const sealingKeys = part<SealingKeys>("sealingKeys", ({ boot, log }) =>
  createSealingKeys(boot.dataDir, boot.keyring, log.tagged("oauth")),
);
