/**
 * Reading a configuration outside the proxy, as commands do, with the keys of every module: a file that reads one by
 * the core alone would know the keys of the core alone.
 */
import "./modules/config.gen.ts";

export { checkConfig } from "./core/config/check.ts";
export { isEmptyText, parseDocument, readConfigText } from "./core/config/document.ts";
export { envOverrides } from "./core/config/env-overrides.ts";
export { offlineConfig, offlineVersion, offlineVersions, restoreOffline } from "./core/config/offline.ts";
export { unknownKey } from "./core/config/unknown-key.ts";
