import type { Config, ServerConfig } from "./config-keys.ts";

/**
 * True if a server is in quarantine: by its own key, otherwise by the setting for new servers and its trust mode. With
 * trust mode `scan`, each tool that is not clean is blocked separately, so the server need not be in quarantine.
 */
export function isQuarantined(server: ServerConfig, config: Config): boolean {
  return server.quarantined ?? (config.quarantine_enabled && (server.trust_mode ?? "manual") === "manual");
}
