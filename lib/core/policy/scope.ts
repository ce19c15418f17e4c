import type { Permission, Scope } from "../schema/caller.ts";

/** True if a scope includes a server. */
export function inScope(scope: Scope, server: string): boolean {
  return scope.servers === "all" || scope.servers.has(server);
}

/**
 * True if a scope grants a permission. Each permission is granted separately: `destructive` does not include `read`.
 */
export function mayUse(scope: Scope, permission: Permission): boolean {
  return scope.permissions === "all" || scope.permissions.has(permission);
}

/** Narrows a scope to the servers of a profile. The result never includes more than the scope did. */
export function narrowScope(
  scope: Scope,
  profile: { readonly name: string; readonly servers: readonly string[] },
): Scope {
  const servers = new Set(profile.servers.filter((server) => inScope(scope, server)));
  return { servers, permissions: scope.permissions, profile: profile.name };
}

/**
 * Narrows a scope to the profile with this name. For a limited scope, a profile that shares no server with it is
 * unknown, as if it did not exist.
 *
 * @returns undefined for an unknown profile
 */
export function scopeWithinProfile(
  scope: Scope,
  profiles: readonly { readonly name: string; readonly servers: readonly string[] }[],
  name: string,
): Scope | undefined {
  const profile = profiles.find((candidate) => candidate.name === name);
  const inside = profile && narrowScope(scope, profile);
  const none = inside !== undefined && inside.servers !== "all" && inside.servers.size === 0;
  return scope.servers !== "all" && none ? undefined : inside;
}
