/**
 * Reads a configuration outside the proxy, for commands, with the keys of all modules; the core alone does not know
 * them.
 */
import "./modules/config.gen.ts";

export { checkConfig } from "./core/config/check.ts";
export { isEmptyText, parseDocument, readConfigText } from "./core/config/document.ts";
export { envOverrides } from "./core/config/env-overrides.ts";
export { offlineConfig, offlineVersion, offlineVersions, restoreOffline } from "./core/config/offline.ts";
export { unknownKey } from "./core/config/unknown-key.ts";
