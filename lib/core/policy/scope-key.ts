import type { Caller, Scope } from "../schema/caller.ts";

/** The same for all callers who are shown the same; for caches of what a scope may see. */
export function scopeKey({ tier, scope }: Caller): string {
  const list = (set: Scope["servers"] | Scope["permissions"]) =>
    set === "all" ? "*" : JSON.stringify([...set].sort());
  return `${tier} ${list(scope.servers)} ${list(scope.permissions)}`;
}
