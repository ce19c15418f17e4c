import type { Permission } from "../../core/schema/caller.ts";

/** The permissions, in the order in which people read them. */
const PERMISSIONS = ["read", "write", "destructive"] as const satisfies readonly Permission[];

/** Every scope that a client can request. */
export const SCOPES = PERMISSIONS.map((permission) => `mcp:${permission}`);

/** Returns the scopes for these permissions. */
export function scopeText(permissions: readonly Permission[]): string {
  return SCOPES.filter((_, i) => permissions.includes(PERMISSIONS[i]!)).join(" ");
}

/** Returns the known scopes in a text; every scope, if it contains none, because clients may request scopes of others. */
export function knownScopes(text: string | undefined): string {
  const asked = (text ?? "").split(" ");
  return SCOPES.filter((scope) => asked.includes(scope)).join(" ") || SCOPES.join(" ");
}

/** Returns the permissions that a client requests. */
export function permissionsOf(scope: string): Permission[] {
  const asked = scope.split(" ");
  return PERMISSIONS.filter((_, i) => asked.includes(SCOPES[i]!));
}
