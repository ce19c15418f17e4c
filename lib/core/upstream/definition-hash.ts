import { createHash } from "node:crypto";
import type { ServerConfig } from "../config/config-keys.ts";
import { launchDefinition } from "./target.ts";

/**
 * Returns a hash that identifies the definition of a server. The definition itself may contain secrets, so it is not
 * stored.
 */
export function definitionHash(server: ServerConfig): string {
  return createHash("sha256").update(launchDefinition(server)).digest("hex").slice(0, 32);
}
