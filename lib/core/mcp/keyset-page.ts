import { hash } from "node:crypto";
import { RpcError } from "../schema/mcp.ts";
import { invalidParams } from "./rpc.ts";

/** One entry of a list, as it is shown. */
export interface KeysetEntry {
  /** Shown name; unique, and what the list is sorted by, in code units. */
  readonly key: string;
  /** JSON text. */
  readonly text: string;
}

interface KeysetBinding {
  /** Which list. */
  readonly list: string;
  /** Whose list: see `ownerKey`. */
  readonly owner: string;
}

/** One page of a sorted list. */
interface KeysetPage {
  readonly texts: readonly string[];
  readonly nextCursor?: string;
}

/** Many clients read only the first page, so it holds a lot. (entries, characters) */
const PAGE_LIMITS = { entries: 1000, chars: 2 * 1024 * 1024 };

/**
 * One page of a list to which many servers contribute. The cursor holds the last key of the page before, so it stays
 * good while servers come and go and over restarts, needs no memory, and says nothing that was not just shown.
 *
 * @param sorted by key
 * @param cursor `nextCursor` of the page before; undefined for the first
 * @throws RpcError -32602 for a cursor that is none of this list
 */
export function keysetPage(
  sorted: readonly KeysetEntry[],
  binding: KeysetBinding,
  cursor: unknown,
  limits = PAGE_LIMITS,
): KeysetPage {
  const from = cursor === undefined ? 0 : firstAfter(sorted, readKeyset(cursor, binding));
  const texts: string[] = [];
  let chars = 0;
  let at = from;
  for (; at < sorted.length && texts.length < limits.entries; at++) {
    const { text } = sorted[at]!;
    chars += text.length;
    // However long an entry is, a page has one.
    if (texts.length > 0 && chars > limits.chars) break;
    texts.push(text);
  }
  // Never a cursor to nothing: some clients take an empty last page for a fault.
  return at < sorted.length ? { texts, nextCursor: writeKeyset(sorted[at - 1]!.key, binding) } : { texts };
}

/** Sorts entries as `keysetPage` wants them. */
export function sortEntries<T extends KeysetEntry>(entries: readonly T[]): T[] {
  return [...entries].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function writeKeyset(key: string, binding: KeysetBinding): string {
  return Buffer.from(JSON.stringify([1, checkDigits(key, binding), key])).toString("base64url");
}

function readKeyset(cursor: unknown, binding: KeysetBinding): string {
  try {
    const read: unknown = JSON.parse(Buffer.from(String(cursor), "base64url").toString());
    if (Array.isArray(read)) {
      const [version, digits, key] = read;
      if (version === 1 && typeof key === "string" && digits === checkDigits(key, binding)) return key;
    }
  } catch {
    // No text of ours, which is said below.
  }
  throw new RpcError(invalidParams("unknown cursor; send nextCursor as returned, or no cursor"));
}

/** They tell our cursors from others; whoever makes one up gets no more than a part of the list that is theirs anyway. */
function checkDigits(key: string, { list, owner }: KeysetBinding): string {
  return hash("sha256", JSON.stringify([list, owner, key]), "base64url").slice(0, 8);
}

function firstAfter(sorted: readonly KeysetEntry[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.key <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
