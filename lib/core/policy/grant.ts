import type { Scope } from "../schema/caller.ts";

/** `server_edition.access`: which servers a group may use. */
export interface AccessGrants {
  readonly group_servers: Readonly<Record<string, readonly string[]>>;
  readonly default_servers: readonly string[];
}

/**
 * The servers that groups are granted (spec 001 §2.6). An `access` block is the only source of grants: a user in no
 * mapped group and without a default entry gets no server. Without the block every user gets every server.
 */
export function grantedServers(access: AccessGrants | undefined, groups: readonly string[]): Scope["servers"] {
  if (!access) return "all";
  const { group_servers, default_servers } = access;
  // A group may have the name of an inherited member, such as `constructor`.
  const mapped = groups.flatMap((group) => (Object.hasOwn(group_servers, group) ? group_servers[group]! : []));
  const names = new Set([...default_servers, ...mapped]);
  return names.has("*") ? "all" : names;
}

/** The servers that are in both sets. */
export function intersectServers(a: Scope["servers"], b: Scope["servers"]): Scope["servers"] {
  if (a === "all") return b;
  if (b === "all") return a;
  return new Set([...a].filter((name) => b.has(name)));
}
