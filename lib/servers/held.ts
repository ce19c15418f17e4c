import type { ServerConfig } from "../config/schema.ts";
import { REFERENCE } from "../redact/reference.ts";
import { runsOther } from "./merge.ts";

/** What a connection shows to whatever is at its other end. */
const SHOWN = ["args", "env", "headers", "url", "oauth"] as const;
const ANY_REFERENCE = new RegExp(REFERENCE);

/**
 * Whether a definition that came over MCP could send away what its author does not know: a reference to a secret, or
 * credentials that stood there before and would now be shown to something else. Since a quarantined server is connected
 * to for review, such a one waits for the review first.
 *
 * @param before what stood there; absent for a new server
 */
export function leadsAway(before: ServerConfig | undefined, next: ServerConfig): boolean {
  if (before && !runsOther(before, next)) return before.held === true;
  if (SHOWN.some((member) => ANY_REFERENCE.test(JSON.stringify(next[member]) ?? ""))) return true;
  return before !== undefined && SHOWN.some((member) => member !== "args" && member !== "url" && holds(before[member]));
}

/** Whoever lifts a quarantine lifts the hold. */
export function released(server: ServerConfig): ServerConfig {
  const { held: _, ...free } = server;
  return free;
}

const holds = (member: object | undefined) => member !== undefined && Object.keys(member).length > 0;
