import type { Scope } from "../schema/caller.ts";

/** Which servers a user may use: those of each group, and those of everybody. */
export interface AccessGrants {
  readonly byGroup: Readonly<Record<string, readonly string[]>>;
  readonly forEverybody: readonly string[];
}

/**
 * The servers that groups are granted (spec 001 §2.6). An `access` block is the only source of grants: a user in no
 * mapped group and without a default entry gets no server. Without the block every user gets every server.
 */
export function grantedServers(access: AccessGrants | undefined, groups: readonly string[]): Scope["servers"] {
  if (!access) return "all";
  const { byGroup, forEverybody } = access;
  // A group may have the name of an inherited member, such as `constructor`.
  const mapped = groups.flatMap((group) => (Object.hasOwn(byGroup, group) ? byGroup[group]! : []));
  const names = new Set([...forEverybody, ...mapped]);
  return names.has("*") ? "all" : names;
}

/** The servers that are in both sets. */
export function intersectServers(a: Scope["servers"], b: Scope["servers"]): Scope["servers"] {
  if (a === "all") return b;
  if (b === "all") return a;
  return new Set([...a].filter((name) => b.has(name)));
}
