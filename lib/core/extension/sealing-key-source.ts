import type { SealingKeys } from "../secrets/sealing-keys.ts";
import type { StoreStart } from "./store-engine.ts";

/**
 * Provides the keys that seal stored secrets, such as sign-ins, instead of the key of the data directory.
 *
 * @returns undefined if the configuration does not ask for it
 */
export type SealingKeySource = (start: Pick<StoreStart, "config" | "secrets">) => SealingKeys | undefined;
