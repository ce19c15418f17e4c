import type { ToolRow } from "../schema/tool.ts";
import type { Audience } from "./catalog.ts";
import type { IndexMatch } from "./tool-ranking.ts";

/** Hidden matches are reported among so many of the best matches, so that their number does not depend on the limit. */
const TOLD_OF = 300;

/**
 * Returns the first `limit` matches that the caller may see. Hidden matches do not count towards the limit; `onHidden`
 * is called for those among the best matches.
 */
export function takeVisibleMatches(
  found: Iterable<IndexMatch>,
  rows: ReadonlyMap<string, ToolRow>,
  limit: number,
  { isVisible, onHidden }: Audience,
): IndexMatch[] {
  const hits: IndexMatch[] = [];
  let looked = 0;
  for (const match of found) {
    const full = hits.length >= limit;
    const tells = onHidden !== undefined && looked++ < TOLD_OF;
    if (full && !tells) break;
    const row = rows.get(match.id);
    if (!row) continue;
    if (!isVisible(row)) {
      if (tells) onHidden(row);
    } else if (!full) hits.push(match);
  }
  return hits;
}
