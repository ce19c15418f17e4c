import type { Scope } from "../schema/caller.ts";

/** The servers that the configuration grants to each group and to all users. */
export interface AccessGrants {
  readonly byGroup: Readonly<Record<string, readonly string[]>>;
  readonly forEverybody: readonly string[];
}

/**
 * Returns the servers that a user in these groups may use (spec 001 §2.6). With an `access` block, a user whose groups
 * are not in it gets only its default servers, if any. Without the block every user gets every server.
 */
export function grantedServers(access: AccessGrants | undefined, groups: readonly string[]): Scope["servers"] {
  if (!access) return "all";
  const { byGroup, forEverybody } = access;
  // A group may have the name of an inherited member, such as `constructor`.
  const mapped = groups.flatMap((group) => (Object.hasOwn(byGroup, group) ? byGroup[group]! : []));
  const names = new Set([...forEverybody, ...mapped]);
  return names.has("*") ? "all" : names;
}

/** Returns the servers that are in both sets. */
export function intersectServers(a: Scope["servers"], b: Scope["servers"]): Scope["servers"] {
  if (a === "all") return b;
  if (b === "all") return a;
  return new Set([...a].filter((name) => b.has(name)));
}
