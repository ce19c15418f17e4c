import type { Config } from "../../config/config-keys.ts";
import { intersectServers } from "../../policy/grant.ts";
import { narrowScope } from "../../policy/scope.ts";
import type { Scope } from "../../schema/caller.ts";
import type { TokenRow } from "../../schema/token.ts";

/**
 * What a token reaches. One that is pinned to a profile which is gone reaches nothing (reference 3.10); a user's own
 * never more than its owner does at this moment (spec 001 §5 item 4).
 *
 * @param owner what the owner of a token reaches, where it has one
 */
export function tokenScope(
  { servers, permissions, profile }: TokenRow,
  config: Config,
  owner?: Pick<Scope, "servers">,
): Scope {
  const named: Scope["servers"] = servers.includes("*") ? "all" : new Set(servers);
  const scope: Scope = {
    servers: owner ? intersectServers(named, owner.servers) : named,
    permissions: new Set(permissions),
  };
  if (profile === undefined) return scope;
  return narrowScope(scope, config.profiles.find(({ name }) => name === profile) ?? { name: profile, servers: [] });
}
