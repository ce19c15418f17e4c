import type { Config, ServerConfig } from "./config-keys.ts";

/**
 * Whether a server counts as quarantined: its own key, else the switch for new servers and its trust mode. When a scan
 * admits tools, it blocks each tool that is not clean, so the server as a whole need not be quarantined.
 */
export function isQuarantined(server: ServerConfig, config: Config): boolean {
  return server.quarantined ?? (config.quarantine_enabled && (server.trust_mode ?? "manual") === "manual");
}
