import type { Permission, Scope } from "../schema/caller.ts";

/** Whether a scope reaches a server. */
export function inScope(scope: Scope, server: string): boolean {
  return scope.servers === "all" || scope.servers.has(server);
}

/** Whether a scope grants a permission. Each is granted by itself: `destructive` does not bring `read` with it. */
export function mayUse(scope: Scope, permission: Permission): boolean {
  return scope.permissions === "all" || scope.permissions.has(permission);
}

/** A scope narrowed to the servers of a profile; it can only shrink. */
export function narrowScope(
  scope: Scope,
  profile: { readonly name: string; readonly servers: readonly string[] },
): Scope {
  const servers = new Set(profile.servers.filter((server) => inScope(scope, server)));
  return { servers, permissions: scope.permissions, profile: profile.name };
}

/**
 * A scope within the profile of a name. To a limited scope a profile without any of its servers is as unknown as one
 * that does not exist.
 *
 * @returns undefined for an unknown profile
 */
export function scopeWithinProfile(
  scope: Scope,
  profiles: readonly { readonly name: string; readonly servers: readonly string[] }[],
  name: string,
): Scope | undefined {
  const profile = profiles.find((known) => known.name === name);
  const inside = profile && narrowScope(scope, profile);
  const none = inside !== undefined && inside.servers !== "all" && inside.servers.size === 0;
  return scope.servers !== "all" && none ? undefined : inside;
}
