import { createHash } from "node:crypto";
import { canonicalJson } from "../../base/canonical.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { LAUNCH_DEFINITION_MEMBERS } from "../../upstream/target.ts";

/**
 * Identifies a server regardless of its name: a hash of its launch definition, which are the members that decide what
 * is run or contacted, and with which credentials. The order of members does not count, and an empty list or object
 * counts as absent.
 */
export function identityOf(server: ServerConfig): string {
  const definition = Object.fromEntries(
    LAUNCH_DEFINITION_MEMBERS.map((member) => [member, isEmpty(server[member]) ? null : server[member]]),
  );
  return createHash("sha256").update(canonicalJson(definition)).digest("hex");
}

function isEmpty(member: unknown): boolean {
  return member === undefined || (typeof member === "object" && member !== null && Object.keys(member).length === 0);
}
