import type { Config, ServerConfig } from "./schema.ts";

/** Whether a server counts as quarantined: its own key, else the switch for new servers and its trust mode. */
export function quarantined(server: ServerConfig, config: Config): boolean {
  return server.quarantined ?? (config.quarantine_enabled && server.trust_mode !== "auto");
}
