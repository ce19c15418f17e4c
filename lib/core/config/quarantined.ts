import type { Config, ServerConfig } from "./config.ts";

/**
 * Whether a server counts as quarantined: its own key, else the switch for new servers and its trust mode. Where a scan
 * admits tools, it holds each that is not clean, and the server need not be held as a whole.
 */
export function isQuarantined(server: ServerConfig, config: Config): boolean {
  return server.quarantined ?? (config.quarantine_enabled && (server.trust_mode ?? "manual") === "manual");
}
