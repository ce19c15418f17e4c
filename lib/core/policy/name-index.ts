/** An index of one server's tool ids that lets a search for similar ids skip most of them. */
export interface NameIndex {
  readonly byLength: ReadonlyMap<number, NameBucket>;
  /** Ids by their lower-case form; of ids that differ only in letter case, one. */
  readonly byLower: ReadonlyMap<string, string>;
  readonly shortest: number;
  readonly longest: number;
}

/** Ids of one length. The three lists run in parallel. */
export interface NameBucket {
  readonly ids: readonly string[];
  /** The same in lower case. */
  readonly lower: readonly string[];
  readonly masks: readonly number[];
}

/** Maximum number of ids compared per server; indexing more would block the event loop. */
const MAX_IDS = 10_000;

export function nameIndex(ids: Iterable<string>): NameIndex {
  const byLength = new Map<number, { ids: string[]; lower: string[]; masks: number[] }>();
  const byLower = new Map<string, string>();
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;
  let taken = 0;
  for (const id of ids) {
    if (taken++ >= MAX_IDS) break;
    const lower = id.toLowerCase();
    const { length } = lower;
    let bucket = byLength.get(length);
    if (!bucket) {
      bucket = { ids: [], lower: [], masks: [] };
      byLength.set(length, bucket);
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
    }
    byLower.set(lower, id);
    bucket.ids.push(id);
    bucket.lower.push(lower);
    bucket.masks.push(characterMask(lower));
  }
  return { byLength, byLower, shortest, longest };
}

/** Which characters a text has, 32 classes of them as bits. One edit changes at most two bits, a swap none. */
export function characterMask(text: string): number {
  let mask = 0;
  for (let i = 0; i < text.length; i++) mask |= 1 << (text.charCodeAt(i) & 31);
  return mask;
}

/** Whether masks differ by more than this many edits can explain. */
export function masksDiffer(a: number, b: number, edits: number): boolean {
  let bits = a ^ b;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24 > 2 * edits;
}
