import { editDistance, type WorkBudget } from "../base/edit-distance.ts";
import { characterMask, masksDiffer, type NameBucket, type NameIndex } from "./name-index.ts";
import { splitToolId } from "./tool-id.ts";

/** Maximum number of suggestions (spec 000 §8). */
const LIMIT = 3;
/** Maximum edit distance of a suggestion. */
const REACH = 2;
/** Requested ids longer than this get no suggestions. */
const MAX_LENGTH = 512;
/** Work allowance for the first id of a request, and for each further id, in characters and masks compared. */
const FIRST_WORK = 250_000;
const NEXT_WORK = 2000;
/** The work of checking whether an id is visible, of looking it up, and of comparing two texts. */
const SEEN_WORK = 100;
const LOOKUP_WORK = 40;
const EDITS_WORK = 20;
/** Maximum number of servers whose names are compared. */
const MAX_SERVERS = 2000;
/** Number of best matches kept per search. There are more than needed, because some may turn out to be hidden. */
const MAX_MATCHES = 24;

/** Where suggestions come from. */
interface SuggestionSource {
  /** Names of the servers that the caller may see, and no others. */
  readonly servers: readonly string[];
  /** Returns the index of one server's tool ids. */
  index(server: string): NameIndex;
  /** True if the caller may see an id. */
  visible(id: string): boolean;
}

/**
 * Makes a function that finds known ids similar to an unknown one, best first: ids of which one is a prefix of the
 * other, then ids at most two edits away (a swap counts as one); closer ids first, then by name. Letter case is
 * ignored.
 *
 * Create one suggester per request. All its searches share one work allowance, so that a request takes at most a few
 * milliseconds. When the allowance is used up, there are fewer suggestions, or none.
 *
 * @param work the allowance that is left; each search increases it by that of one more id
 */
export function createSuggester(
  { servers, index, visible }: SuggestionSource,
  work: WorkBudget = { left: FIRST_WORK - NEXT_WORK },
): (asked: string) => string[] {
  const names = servers.slice(0, MAX_SERVERS).map((name) => ({ name, lower: name.toLowerCase() }));
  const masks = names.map(({ lower }) => characterMask(lower));
  const byLower = new Map(names.map((one) => [one.lower, one]));
  const candidates = new Map<string, Candidate[]>();

  /**
   * Returns the servers with a similar name, except one with exactly that name, most similar first. It compares the
   * part before the colon, or the beginning of an id without a colon.
   */
  const serversFor = (wanted: string): Candidate[] => {
    const part = splitToolId(wanted)?.server ?? wanted;
    const key = part === wanted ? ` ${part}` : part;
    const existing = candidates.get(key);
    if (existing) return existing;
    const mask = characterMask(part);
    const found: Candidate[] = [];
    for (const [i, { name, lower }] of names.entries()) {
      if (--work.left < 0) break;
      if (part === wanted) {
        if (lower.startsWith(bare(part)) || part.startsWith(lower)) found.push({ name, lower, far: 0 });
      } else if (Math.abs(lower.length - part.length) <= REACH && !masksDiffer(mask, masks[i]!, REACH)) {
        work.left -= EDITS_WORK;
        const far = editDistance(part, lower, REACH, work);
        if (far > 0 && far <= REACH) found.push({ name, lower, far });
      }
    }
    found.sort((a, b) => a.far - b.far);
    if (work.left >= 0) candidates.set(key, found);
    return found;
  };

  return (asked) => {
    if (asked === "" || asked.length > MAX_LENGTH) return [];
    work.left += NEXT_WORK;
    const wanted = asked.toLowerCase();
    const search: Search = { asked, wanted, mask: characterMask(wanted), matches: [], work };
    const named = byLower.get(splitToolId(wanted)?.server ?? "");
    if (named) searchServer(index(named.name), { ...named, far: 0 }, search);
    for (const server of isSettled(search.matches, 1) ? [] : serversFor(wanted)) {
      if (work.left < 0 || isSettled(search.matches, server.far)) break;
      searchServer(index(server.name), server, search);
    }
    const told: string[] = [];
    for (const [i, { id }] of search.matches.entries()) {
      if (told.length === LIMIT || (work.left < 0 && i >= LIMIT)) break;
      work.left -= SEEN_WORK;
      if (visible(id)) told.push(id);
    }
    return told;
  };
}

/** A server, and the edit distance between its name and the requested one. */
interface Candidate {
  name: string;
  lower: string;
  far: number;
}

interface Match {
  id: string;
  prefix: boolean;
  distance: number;
}

interface Search {
  asked: string;
  wanted: string;
  mask: number;
  matches: Match[];
  work: WorkBudget;
}

/** Compares ids of similar length first, so that the allowance is spent on the ids that rank highest. */
function searchServer(index: NameIndex, { lower, far }: Candidate, search: Search): void {
  const { byLength, byLower, shortest, longest } = index;
  const { wanted, matches, work } = search;
  if (far > 0) {
    work.left -= LOOKUP_WORK;
    const same = byLower.get(lower + wanted.slice(wanted.indexOf(":")));
    if (same !== undefined) offer(search, { id: same, prefix: false, distance: far });
    // The difference of the server names already has the maximum number of edits.
    if (far === REACH) return;
  }
  // If the server names differ, neither id can be a prefix of the other.
  const widest = far > 0 ? REACH : Math.max(longest - wanted.length, wanted.length - shortest);
  for (let off = 0; off <= widest; off++) {
    if (--work.left < 0 || isFull(matches, off)) return;
    const longer = byLength.get(wanted.length + off);
    if (longer) searchBucket(longer, wanted.length + off, search);
    const shorter = off > 0 ? byLength.get(wanted.length - off) : undefined;
    if (!shorter) continue;
    if (far === 0) {
      work.left -= LOOKUP_WORK;
      const begin = byLower.get(wanted.slice(0, -off));
      if (begin !== undefined) offer(search, { id: begin, prefix: true, distance: off });
    }
    if (off <= REACH) searchBucket(shorter, wanted.length - off, search);
  }
}

function searchBucket({ ids, lower, masks }: NameBucket, length: number, search: Search): void {
  const { asked, wanted, mask, work } = search;
  const off = Math.abs(length - wanted.length);
  const near = off <= REACH;
  for (let i = 0; i < ids.length; i++) {
    if (--work.left < 0) return;
    const other = masks[i]!;
    const within = length >= wanted.length && (mask & ~other) === 0;
    if (!within && (!near || masksDiffer(mask, other, REACH))) continue;
    const id = ids[i]!;
    if (id === asked) continue;
    const knownId = lower[i]!;
    work.left -= 4;
    if (within && knownId.startsWith(wanted)) {
      work.left -= wanted.length;
      offer(search, { id, prefix: true, distance: off });
    } else if (near) {
      work.left -= EDITS_WORK;
      const distance = editDistance(wanted, knownId, REACH, work);
      if (distance <= REACH && distance > 0) offer(search, { id, prefix: false, distance });
    }
  }
}

/** Adds a match if it is among the best so far. */
function offer({ matches, work }: Search, match: Match): void {
  let at = matches.length;
  while (at > 0 && better(match, matches[at - 1]!) < 0) {
    work.left -= 2;
    at--;
  }
  // Comparing ids of equal rank costs work, too.
  work.left -= match.id.length >> 3;
  if (at >= MAX_MATCHES || matches.some(({ id }) => id === match.id)) return;
  matches.splice(at, 0, match);
  if (matches.length > MAX_MATCHES) matches.pop();
}

/** True if no id of a server with this edit distance can still be among the suggestions. */
function isSettled(matches: readonly Match[], far: number): boolean {
  const last = matches[LIMIT - 1];
  return last !== undefined && (last.prefix || last.distance < far);
}

/** True if ids whose length differs by `off` would rank behind all kept matches. */
function isFull(matches: readonly Match[], off: number): boolean {
  const last = matches[MAX_MATCHES - 1];
  return last?.prefix === true && last.distance < off;
}

/** Removes a trailing colon: `name:` is understood as the name of a server. */
function bare(part: string): string {
  return part.endsWith(":") ? part.slice(0, -1) : part;
}

function better(a: Match, b: Match): number {
  return Number(b.prefix) - Number(a.prefix) || a.distance - b.distance || (a.id < b.id ? -1 : Number(a.id > b.id));
}
