import type { Config } from "../config/schema.ts";
import { granted } from "../gate/grant.ts";
import type { Scope } from "../shape/caller.ts";
import type { UserRow } from "../shape/user.ts";
import { type Edition, editionOf } from "./edition.ts";

/** Whether a user is an administrator now: listed at the last sign-in and still listed (spec 001 §5 item 4). */
export function isAdmin({ admin_emails }: Pick<Edition, "admin_emails">, { admin, email }: UserRow): boolean {
  return admin && listed(admin_emails, email);
}

/** Addresses are compared without regard to case, as nearly every mail system does. */
export function listed(admins: readonly string[], email: string): boolean {
  return admins.some((address) => address.trim().toLowerCase() === email);
}

/**
 * What a user reaches at this moment: the grant of the present configuration for the groups of the last sign-in, less
 * what they switched off themselves. Nothing while the edition is off or the user is disabled.
 */
export function scopeOfUser(config: Config, user: UserRow): Scope {
  const edition = editionOf(config);
  if (!edition || user.disabledAt !== undefined) return { servers: new Set(), permissions: "all" };
  const servers = isAdmin(edition, user) ? "all" : granted(edition.access, user.groups);
  if (user.off.length === 0) return { servers, permissions: "all" };
  const names = servers === "all" ? config.mcpServers.map(({ name }) => name) : [...servers];
  return { servers: new Set(names.filter((name) => !user.off.includes(name))), permissions: "all" };
}
