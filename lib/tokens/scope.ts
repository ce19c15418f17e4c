import type { Config } from "../config/schema.ts";
import { narrow } from "../gate/scope.ts";
import type { Scope } from "../shape/caller.ts";
import type { TokenRow } from "../shape/token.ts";

/** What a token reaches. One that is pinned to a profile which is gone reaches nothing (reference 3.10). */
export function scopeOf({ servers, permissions, profile }: TokenRow, { profiles }: Pick<Config, "profiles">): Scope {
  const scope: Scope = {
    servers: servers.includes("*") ? "all" : new Set(servers),
    permissions: new Set(permissions),
  };
  if (profile === undefined) return scope;
  return narrow(scope, profiles.find(({ name }) => name === profile) ?? { name: profile, servers: [] });
}
