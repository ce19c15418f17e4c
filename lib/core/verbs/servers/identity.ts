import { createHash } from "node:crypto";
import { canonicalJson } from "../../base/canonical.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { LAUNCH_DEFINITION_MEMBERS } from "../../upstream/target.ts";

/**
 * Returns a hash of a server's launch definition: the members that decide what is run or contacted, and with which
 * credentials. It identifies a server regardless of its name. The order of members does not matter, and an empty list
 * or object is the same as an absent one.
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
