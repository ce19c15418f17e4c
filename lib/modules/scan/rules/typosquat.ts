import { editDistance } from "../../../core/base/edit-distance.ts";
import { foldLookalikes } from "./confusable.ts";
import { POPULAR } from "./popular.ts";

/**
 * Finds the popular package with which a name can be confused by a typo, a misreading or a wrong recollection.
 *
 * `@modelcontextprotocol/server-filesytem`, `modelcontextprotocol-server-filesystem`, `mcp_server_fetch1`
 *
 * @returns undefined for a popular name itself, and for one that resembles none
 */
export function resembles(source: "npm" | "pypi", name: string): { name: string; how: string } | undefined {
  const popular = POPULAR[source];
  const lowerName = name.toLowerCase();
  if (popular.has(lowerName)) return undefined;
  const plain = squashed(lowerName);
  for (const popularName of popular) {
    const [scope = ""] = popularName.startsWith("@") ? popularName.split("/") : [];
    // All names in a scope belong to its owner.
    if (scope && lowerName.startsWith(`${scope}/`)) {
      if (editDistance(lowerName, popularName, 1) <= 1) return undefined;
      continue;
    }
    if (source === "pypi" && sameProject(lowerName, popularName)) return undefined;
    if (plain === squashed(popularName) && popularName.length >= 6)
      return { name: popularName, how: "it differs in separators only" };
    const maxDistance = popularName.length >= 20 ? 2 : popularName.length >= 5 ? 1 : 0;
    if (maxDistance > 0 && editDistance(lowerName, popularName, maxDistance) <= maxDistance)
      return { name: popularName, how: "it differs by a typing error" };
  }
  return undefined;
}

/** Removes separators and unifies look-alikes. */
function squashed(name: string): string {
  return foldLookalikes(name)
    .toLowerCase()
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .replace(/[0]/g, "o")
    .replace(/[1|]/g, "l")
    .replace(/[@/_.-]/g, "");
}

/** PyPI treats all runs of separators as equal. */
function sameProject(a: string, b: string): boolean {
  return a.replace(/[-_.]+/g, "-") === b.replace(/[-_.]+/g, "-");
}
