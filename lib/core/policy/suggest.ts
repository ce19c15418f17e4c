import { editDistance, type WorkBudget } from "../base/edit-distance.ts";
import { characterMask, masksDiffer, type NameBucket, type NameIndex, nameIndex } from "./name-index.ts";
import { splitToolId } from "./tool-id.ts";

/** At most this many suggestions (spec 000 §8). */
const LIMIT = 3;
/** Farthest misspelling that still counts. */
const REACH = 2;
/** Asked ids longer than this are no misspelling of anything. */
const MAX_LENGTH = 512;
/** What the first id of a request may cost, and what each further one adds, in characters and masks compared. */
const FIRST_WORK = 250_000;
const NEXT_WORK = 2000;
/** Costs of what is dearer than one comparison: asking whether an id may be shown, looking one up, comparing two texts. */
const SEEN_WORK = 100;
const LOOKUP_WORK = 40;
const EDITS_WORK = 20;
/** Most servers whose names are compared. */
const MAX_SERVERS = 2000;
/** The best matches of one question that are kept, in case some of them may not be shown. */
const MAX_MATCHES = 24;

/** What suggestions are made from. */
interface SuggestionSource {
  /** Names of the servers that exist for the caller; those of others must not be in here. */
  readonly servers: readonly string[];
  /** The ids of one server's tools. */
  index(server: string): NameIndex;
  /** Whether the caller may be told of an id. */
  visible(id: string): boolean;
}

/**
 * Finds the known ids that an unknown one may have meant, best first: those that one is a beginning of the other, then
 * those at most two edits away (a swap counts one); nearer before farther, then by name. Letter case does not count.
 *
 * Make one for each request. All its questions share one allowance of work, so that no request costs more than a few
 * milliseconds, whatever is asked; where it is used up there are fewer suggestions, or none.
 *
 * @param work the allowance; each question adds to it
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
   * Servers whose tools may be meant, but for the one of that very name, the nearest first: by the part before the
   * colon, or by how the id begins where it has none.
   */
  const serversFor = (wanted: string): Candidate[] => {
    const part = splitToolId(wanted)?.server ?? wanted;
    const key = part === wanted ? ` ${part}` : part;
    const known = candidates.get(key);
    if (known) return known;
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

/** The same for one id among a few known ones, all of which may be told. */
export function suggestKnownIds(asked: string, known: Iterable<string>): string[] {
  const byServer = new Map<string, string[]>();
  for (const id of known) {
    const server = splitToolId(id)?.server;
    if (server !== undefined) byServer.set(server, [...(byServer.get(server) ?? []), id]);
  }
  const index = (server: string) => nameIndex(byServer.get(server) ?? []);
  return createSuggester({ servers: [...byServer.keys()], index, visible: () => true })(asked);
}

/** A server, and how many edits its name is from the one asked for. */
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

/** The nearest lengths first, so that what the allowance suffices for is what ranks highest. */
function searchServer(index: NameIndex, { lower, far }: Candidate, search: Search): void {
  const { byLength, byLower, shortest, longest } = index;
  const { wanted, matches, work } = search;
  if (far > 0) {
    work.left -= LOOKUP_WORK;
    const same = byLower.get(lower + wanted.slice(wanted.indexOf(":")));
    if (same !== undefined) offer(search, { id: same, prefix: false, distance: far });
    // The name of the server took all the edits there are.
    if (far === REACH) return;
  }
  // With another server's name neither id is a beginning of the other.
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
    const known = lower[i]!;
    work.left -= 4;
    if (within && known.startsWith(wanted)) {
      work.left -= wanted.length;
      offer(search, { id, prefix: true, distance: off });
    } else if (near) {
      work.left -= EDITS_WORK;
      const distance = editDistance(wanted, known, REACH, work);
      if (distance <= REACH && distance > 0) offer(search, { id, prefix: false, distance });
    }
  }
}

/** Puts a match among the best so far, where it is one of them. */
function offer({ matches, work }: Search, match: Match): void {
  let at = matches.length;
  while (at > 0 && better(match, matches[at - 1]!) < 0) {
    work.left -= 2;
    at--;
  }
  // Ids of equal rank are compared as texts.
  work.left -= match.id.length >> 3;
  if (at >= MAX_MATCHES || matches.some(({ id }) => id === match.id)) return;
  matches.splice(at, 0, match);
  if (matches.length > MAX_MATCHES) matches.pop();
}

/** Whether nothing of a server whose name is so many edits away can be among the first. */
function isSettled(matches: readonly Match[], far: number): boolean {
  const last = matches[LIMIT - 1];
  return last !== undefined && (last.prefix || last.distance < far);
}

/** Whether ids whose length is off by so much would rank behind all that are kept. */
function isFull(matches: readonly Match[], off: number): boolean {
  const last = matches[MAX_MATCHES - 1];
  return last?.prefix === true && last.distance < off;
}

/** An id that ends with its colon means the server. */
function bare(part: string): string {
  return part.endsWith(":") ? part.slice(0, -1) : part;
}

function better(a: Match, b: Match): number {
  return Number(b.prefix) - Number(a.prefix) || a.distance - b.distance || (a.id < b.id ? -1 : Number(a.id > b.id));
}
