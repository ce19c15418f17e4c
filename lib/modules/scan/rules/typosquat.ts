import { editDistance } from "../../../core/base/edit-distance.ts";
import { folded } from "./confusable.ts";
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
  const wanted = name.toLowerCase();
  if (popular.has(wanted)) return undefined;
  const plain = squashed(wanted);
  for (const known of popular) {
    const [scope = ""] = known.startsWith("@") ? known.split("/") : [];
    // All names in a scope belong to its owner.
    if (scope && wanted.startsWith(`${scope}/`)) {
      if (editDistance(wanted, known, 1) <= 1) return undefined;
      continue;
    }
    if (source === "pypi" && sameProject(wanted, known)) return undefined;
    if (plain === squashed(known) && known.length >= 6)
      return { name: known, how: "the same letters with other separators" };
    const most = known.length >= 20 ? 2 : known.length >= 5 ? 1 : 0;
    if (most > 0 && editDistance(wanted, known, most) <= most) return { name: known, how: "a name a slip away" };
  }
  return undefined;
}

/** Removes separators and unifies look-alikes. */
function squashed(name: string): string {
  return folded(name)
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
