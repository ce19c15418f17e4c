import type { Scope } from "../schema/caller.ts";

/** `server_edition.access`: which servers a group may use. */
export interface AccessGrants {
  readonly group_servers: Readonly<Record<string, readonly string[]>>;
  readonly default_servers: readonly string[];
}

/**
 * The servers that groups are granted (spec 001 §2.6). An `access` block is the only source of a grant: who is in no
 * mapped group and has no default entry gets none. Without the block everybody gets every server.
 */
export function grantedServers(access: AccessGrants | undefined, groups: readonly string[]): Scope["servers"] {
  if (!access) return "all";
  const { group_servers, default_servers } = access;
  // A group may be called what every object has.
  const mapped = groups.flatMap((group) => (Object.hasOwn(group_servers, group) ? group_servers[group]! : []));
  const names = new Set([...default_servers, ...mapped]);
  return names.has("*") ? "all" : names;
}

/** What is in both. */
export function intersectServers(a: Scope["servers"], b: Scope["servers"]): Scope["servers"] {
  if (a === "all") return b;
  if (b === "all") return a;
  return new Set([...a].filter((name) => b.has(name)));
}
