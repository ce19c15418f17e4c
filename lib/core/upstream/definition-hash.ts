import { createHash } from "node:crypto";
import type { ServerConfig } from "../config/config-keys.ts";
import { launchDefinition } from "./target.ts";

/** Tells definitions of a server apart. A definition may hold secrets, so it is not kept itself. */
export function definitionHash(server: ServerConfig): string {
  return createHash("sha256").update(launchDefinition(server)).digest("hex").slice(0, 32);
}
