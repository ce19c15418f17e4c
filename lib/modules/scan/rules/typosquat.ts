import { editDistance } from "../../../core/base/edit-distance.ts";
import { folded } from "./confusable.ts";
import { POPULAR } from "./popular.ts";

/**
 * The popular package whose name another one is easily taken for, by a slip of the finger, of the eye, or of the mind.
 *
 * `@modelcontextprotocol/server-filesytem`, `modelcontextprotocol-server-filesystem`, `mcp_server_fetch1`
 *
 * @returns undefined for a popular name itself, and for one that is far from all
 */
export function resembles(source: "npm" | "pypi", name: string): { name: string; how: string } | undefined {
  const popular = POPULAR[source];
  const wanted = name.toLowerCase();
  if (popular.has(wanted)) return undefined;
  const plain = squashed(wanted);
  for (const known of popular) {
    const [scope = ""] = known.startsWith("@") ? known.split("/") : [];
    // Whoever owns a scope owns every name in it.
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

/** Without separators, with look-alikes made one. */
function squashed(name: string): string {
  return folded(name)
    .toLowerCase()
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .replace(/[0]/g, "o")
    .replace(/[1|]/g, "l")
    .replace(/[@/_.-]/g, "");
}

/** PyPI takes runs of separators for one and the same. */
function sameProject(a: string, b: string): boolean {
  return a.replace(/[-_.]+/g, "-") === b.replace(/[-_.]+/g, "-");
}
