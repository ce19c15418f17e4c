import type { Config } from "../../config/config-keys.ts";
import { intersectServers } from "../../policy/grant.ts";
import { narrowScope } from "../../policy/scope.ts";
import type { Scope } from "../../schema/caller.ts";
import type { TokenRow } from "../../schema/token.ts";

/**
 * Returns the scope of a token. It is empty if the token's profile no longer exists (reference 3.10), and never exceeds
 * the current scope of the token's owner (spec 001 §5 item 4).
 *
 * @param owner the scope of the token's owner, if it has one
 */
export function tokenScope(
  { servers, permissions, profile }: TokenRow,
  config: Config,
  owner?: Pick<Scope, "servers">,
): Scope {
  const tokenServers: Scope["servers"] = servers.includes("*") ? "all" : new Set(servers);
  const scope: Scope = {
    servers: owner ? intersectServers(tokenServers, owner.servers) : tokenServers,
    permissions: new Set(permissions),
  };
  if (profile === undefined) return scope;
  return narrowScope(scope, config.profiles.find(({ name }) => name === profile) ?? { name: profile, servers: [] });
}
