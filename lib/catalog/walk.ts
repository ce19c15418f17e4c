import type { ToolRow } from "../shape/tool.ts";
import type { Audience } from "./catalog.ts";
import type { Found } from "./index.ts";

/** Refused matches that are looked for once all that were asked for are found. */
const FURTHER = 200;

/**
 * Takes the first `limit` matches that are allowed, so that what a caller may not see never costs a place. Tells
 * `withheld` of up to `limit` refused ones, those a little below the last hit included.
 */
export function walk(
  found: Iterable<Found>,
  rows: ReadonlyMap<string, ToolRow>,
  limit: number,
  { allowed, withheld }: Audience,
): Found[] {
  const hits: Found[] = [];
  let told = 0;
  let further = 0;
  for (const match of found) {
    const full = hits.length >= limit;
    if (full && (!withheld || told >= limit || further++ >= FURTHER)) break;
    const row = rows.get(match.id);
    if (!row) continue;
    if (allowed(row)) {
      if (!full) hits.push(match);
    } else if (told < limit) {
      told++;
      withheld?.(row);
    }
  }
  return hits;
}
