import type { Config } from "../../core/config/config-keys.ts";
import { type AccessGrants, grantedServers } from "../../core/policy/grant.ts";
import type { Scope } from "../../core/schema/caller.ts";
import type { UserRow } from "../../core/schema/user.ts";
import { type Edition, editionOf } from "./edition.ts";
import { foldEmail } from "./email.ts";
import type { Identity } from "./identity.ts";

/**
 * Whether a user is an administrator now: listed in `admin_emails` at the last sign-in and at present (spec 001 §5 item
 * 4).
 */
export function isAdmin({ admin_emails }: Pick<Edition, "admin_emails">, { admin, email }: UserRow): boolean {
  return admin && isListed(admin_emails, email);
}

/**
 * Whether an identity is an administrator by its address. An address that the provider has not verified never
 * qualifies, whatever `email_verified_policy` is: with some providers, people can choose it freely.
 */
export function isAppointed(
  admins: readonly string[],
  { email, verified }: Pick<Identity, "email" | "verified">,
): boolean {
  return verified && isListed(admins, email);
}

function isListed(admins: readonly string[], email: string): boolean {
  return admins.some((address) => foldEmail(address.trim()) === email);
}

/**
 * The servers that a user can use at present: those that the configuration grants to the groups of the last sign-in,
 * without those that the user disabled. None while the edition is disabled or the user is disabled.
 */
export function scopeOfUser(config: Config, user: UserRow): Scope {
  const edition = editionOf(config);
  if (!edition || user.disabledAt !== undefined) return { servers: new Set(), permissions: "all" };
  const servers = isAdmin(edition, user) ? "all" : grantedServers(grantsOf(edition), user.groups);
  if (user.off.length === 0) return { servers, permissions: "all" };
  const names = servers === "all" ? config.mcpServers.map(({ name }) => name) : [...servers];
  return { servers: new Set(names.filter((name) => !user.off.includes(name))), permissions: "all" };
}

/** The configured grants; undefined without an `access` block. */
function grantsOf({ access }: { readonly access?: Edition["access"] }): AccessGrants | undefined {
  return access && { byGroup: access.group_servers, forEverybody: access.default_servers };
}
