import { part } from "../app.ts";
import { createKeys, type Keys } from "../secrets/keys.ts";

/** The keys that stored credentials and answers are sealed with: one ring for all, so that two do not make a key each. */
export const sealingKeys = part<Keys>("sealingKeys", ({ boot, log }) =>
  createKeys(boot.dataDir, boot.keyring, log.tagged("oauth")),
);
