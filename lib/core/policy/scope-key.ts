import type { Caller, Scope } from "../schema/caller.ts";

/** Returns a cache key that is equal for callers who may see the same things. */
export function scopeKey({ tier, scope }: Caller): string {
  const list = (set: Scope["servers"] | Scope["permissions"]) =>
    set === "all" ? "*" : JSON.stringify([...set].sort());
  return `${tier} ${list(scope.servers)} ${list(scope.permissions)}`;
}
