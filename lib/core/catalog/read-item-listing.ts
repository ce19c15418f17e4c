import { ITEM_WORDS, type ListedKind } from "../schema/item.ts";
import { type PinnedItem, readListedItem } from "./read-item.ts";
import { inSlices } from "./slices.ts";

/**
 * Reads a server's full list of one kind of item, in slices.
 *
 * @param hide see `readListedItem`
 * @returns the items by name, and what was left out and why
 */
export async function readItemListing(kind: ListedKind, entries: readonly unknown[], hide?: (text: string) => string) {
  const found = new Map<string, PinnedItem>();
  const faults: string[] = [];
  await inSlices(entries, 1, ([entry]) => {
    const item = readListedItem(kind, entry, hide);
    if (typeof item === "string") return void faults.push(item);
    faults.push(...item.leftOut);
    if (found.has(item.name))
      return void faults.push(`${ITEM_WORDS[kind].noun} ${JSON.stringify(item.name)} is listed twice`);
    found.set(item.name, item);
  });
  return { found, faults };
}
