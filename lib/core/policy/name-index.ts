/** An index of one server's tool ids by which a search for similar ids can skip most of them. */
export interface NameIndex {
  readonly byLength: ReadonlyMap<number, NameBucket>;
  /** Ids by their lower-case form. If ids differ only in letter case, it has one of them. */
  readonly byLower: ReadonlyMap<string, string>;
  readonly shortest: number;
  readonly longest: number;
}

/** The ids of one length. Equal positions of the three lists belong together. */
export interface NameBucket {
  readonly ids: readonly string[];
  /** The ids in lower case. */
  readonly lower: readonly string[];
  readonly masks: readonly number[];
}

/** Maximum number of ids per server in the index; more would block the event loop. */
const MAX_IDS = 10_000;

/** Makes the index of the first 10,000 ids. */
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

/** Returns a bit mask of the characters in a text, in 32 classes. One edit changes at most two bits, a swap none. */
export function characterMask(text: string): number {
  let mask = 0;
  for (let i = 0; i < text.length; i++) mask |= 1 << (text.charCodeAt(i) & 31);
  return mask;
}

/** True if two masks differ in more bits than this many edits can change. */
export function masksDiffer(a: number, b: number, edits: number): boolean {
  let bits = a ^ b;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24 > 2 * edits;
}
