import { excerpt } from "../../../core/base/excerpt.ts";
import { runStepsToEnd } from "../../../core/base/loop-share.ts";
import type { RuleFinding } from "../../../core/schema/rule-finding.ts";
import { foldLookalikes } from "./confusable.ts";
import type { Named, Rival, ScanContext } from "./scan-context.ts";

/** Indexes a server's tools by the look of their names. */
export function rivalOf(server: string, tools: readonly Named[]): Rival {
  return runStepsToEnd(grouping(server, tools));
}

/** Indexes a server's tools one at a time, so that the caller can yield to the event loop. */
export function* grouping(server: string, tools: readonly Named[]): Generator<void, Rival> {
  const byLook = new Map<string, Named[]>();
  const names = new Set<string>();
  for (const { name, description } of tools) {
    const look = lookOf(name);
    const list = byLook.get(look);
    if (list) list.push({ name, description });
    else byLook.set(look, [{ name, description }]);
    names.add(name);
    yield;
  }
  return { server, look: lookOf(server), names, tools: byLook };
}

/** Longest compared part of a description (characters), and the share of equal words that makes it a copy. */
const MAX_COMPARED = 600;
const COPIED = 0.75;
/** Share of a server's tools that another one must have for both to count as instances of one program. */
const INSTANCE = 0.8;
/**
 * Maximum number of tools of one server with the same look that a name is compared with, besides the one of the same
 * name.
 */
const MAX_TWINS = 100;

/**
 * Finds tools that imitate another server's (rule `alike.*`): a name that differs by a typo or a look-alike letter
 * only, a copied description under the same name, or a server named like the one whose tools it has. Two instances of
 * one program have the same tools and are not reported.
 */
export function alikeOf({ name, description }: Named, { server = "", own, rivals = [] }: ScanContext): RuleFinding[] {
  const ownLook = server === "" ? undefined : lookOf(server);
  const isCompared = (rival: Rival) => rival.server !== server && !isInstance(own, rival);
  const { slips, others } = twinsOf(name, rivals);
  const slipped = slips.find(({ rival }) => isCompared(rival));
  let copied: Twin | undefined;
  let ofNamesake: Twin | undefined;
  for (const twin of others) {
    const isNamesake = ofNamesake === undefined && twin.rival.look === ownLook;
    if ((copied && !isNamesake) || !isCompared(twin.rival)) continue;
    if (share(description, twin.tool.description) >= COPIED) copied ??= twin;
    else if (isNamesake) ofNamesake = twin;
  }
  const found: (readonly [rule: string, twin: Twin | undefined, explanation: string])[] = [
    [
      "alike.name",
      slipped,
      "its name differs from that of another server's tool only by a typing error or a look-alike letter",
    ],
    ["alike.copied", copied, "has the same name and description as another server's tool"],
    ["alike.server", ofNamesake, "has a tool of a server with a similar name"],
  ];
  return found
    .flatMap(([rule, twin, explanation]) => (twin ? [{ rule, twin, explanation }] : []))
    .sort((a, b) => a.twin.at - b.twin.at)
    .map(({ rule, twin: { rival, tool }, explanation }) => {
      const pairText = excerpt(`${name}: ${rival.server}:${tool.name}`);
      return { rule, severity: "medium", location: "name", excerpt: pairText, explanation };
    });
}

/** A tool whose name looks like another one. */
interface Twin {
  readonly rival: Rival;
  readonly tool: Named;
  /** Its position in the order of the servers and their tools. */
  readonly at: number;
}

/** The tools of all servers that look like one name. */
interface Twins {
  /** The first tool of each server whose name differs by a typo. */
  readonly slips: readonly Twin[];
  readonly others: readonly Twin[];
}

interface Known {
  /** For each server with tools of a look, all of those. */
  readonly byLook: Map<string, readonly (readonly Twin[])[]>;
  readonly byName: Map<string, Twins>;
}

/** Cached results: hundreds of servers can have a tool of the same name, which is compared once. */
const known = new WeakMap<readonly Rival[], Known>();

function twinsOf(name: string, rivals: readonly Rival[]): Twins {
  let { byLook, byName } = known.get(rivals) ?? {};
  if (!byLook || !byName) {
    [byLook, byName] = [new Map(), new Map()];
    known.set(rivals, { byLook, byName });
  }
  const before = byName.get(name);
  if (before) return before;
  const look = lookOf(name);
  let byRival = byLook.get(look);
  if (!byRival) {
    byRival = ofLook(look, rivals);
    byLook.set(look, byRival);
  }
  const twins = compared(name, byRival);
  byName.set(name, twins);
  return twins;
}

function ofLook(look: string, rivals: readonly Rival[]): Twin[][] {
  let at = 0;
  return rivals.flatMap((rival) => {
    const tools = rival.tools.get(look);
    return tools ? [tools.map((tool) => ({ rival, tool, at: at++ }))] : [];
  });
}

function compared(name: string, byRival: readonly (readonly Twin[])[]): Twins {
  const isSlipOf = new Map<string, boolean>();
  const isSlip = (other: string): boolean => {
    let is = isSlipOf.get(other);
    if (is === undefined) {
      is = other !== name && slip(name, other);
      isSlipOf.set(other, is);
    }
    return is;
  };
  const slips: Twin[] = [];
  const others: Twin[] = [];
  for (const twins of byRival) {
    let hasSlip = false;
    for (const twin of nearest(twins, name)) {
      if (!isSlip(twin.tool.name)) others.push(twin);
      else if (!hasSlip) {
        hasSlip = true;
        slips.push(twin);
      }
    }
  }
  return { slips, others };
}

/** If there are too many to compare, the tool of the same name comes first. */
function nearest(twins: readonly Twin[], name: string): readonly Twin[] {
  if (twins.length <= MAX_TWINS) return twins;
  const same = twins.find(({ tool }) => tool.name === name);
  // Sorts before all others of its server.
  return [...(same ? [{ ...same, at: twins[0]!.at - 0.5 }] : []), ...twins.slice(0, MAX_TWINS)];
}

/** Fewer tools than this say nothing about the program. */
const LEAST_TOOLS_OF_INSTANCE = 3;

/** From this number of tools on, the result for a pair of servers is kept. For fewer, it takes less time than memory. */
const LEAST_TOOLS_KEPT = 32;

/** Results of `isInstance`: by the names of a server's tools, and by the other server. */
const instances = new WeakMap<ReadonlySet<string>, WeakMap<Rival, boolean>>();

/** Whether two servers share so many tools that they are instances of one program. */
function isInstance(names: ReadonlySet<string>, rival: Rival): boolean {
  if (names.size < LEAST_TOOLS_OF_INSTANCE) return false;
  if (names.size < LEAST_TOOLS_KEPT) return sharesMost(names, rival.names);
  let ofOwn = instances.get(names);
  if (!ofOwn) {
    ofOwn = new WeakMap();
    instances.set(names, ofOwn);
  }
  let is = ofOwn.get(rival);
  if (is === undefined) {
    is = sharesMost(names, rival.names);
    ofOwn.set(rival, is);
  }
  return is;
}

function sharesMost(names: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean {
  let left = names.size;
  for (const one of names) if (!theirs.has(one) && --left / names.size < INSTANCE) return false;
  return true;
}

/** Cached looks: hundreds of servers can have tools of the same names. */
const looks = new Map<string, string>();
const MAX_LOOKS = 20_000;
const MAX_LOOK_CHARS = 200;

function lookOf(name: string): string {
  const cached = looks.get(name);
  if (cached !== undefined) return cached;
  const look = newLookOf(name);
  if (name.length > MAX_LOOK_CHARS) return look;
  if (looks.size >= MAX_LOOKS) looks.clear();
  looks.set(name, look);
  return look;
}

/**
 * The look of a name: look-alike letters unified, without separators, vowels after the first letter, and doubled
 * letters.
 */
function newLookOf(name: string): string {
  const plain = foldLookalikes(name.normalize("NFKC"))
    .toLowerCase()
    .replace(EXTRAS, "")
    .replace(/[^a-z0-9]/g, "");
  const alike = plain
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .replace(/[1l|]/g, "i")
    .replace(/0/g, "o")
    .replace(/5/g, "s");
  return (
    alike.slice(0, 1) +
    alike
      .slice(1)
      .replace(/[aeiouy]/g, "")
      .replace(/(.)\1+/g, "$1")
  );
}

/** Words added to a name to pass for the original or a better version. */
const EXTRAS =
  /^(?:the|official|real|true|new|safe|secure|my)[_-]|[_-](?:official|new|pro|plus|secure|safe|fast|turbo|real|original|v?\d+|x|ext|mcp|server)$|[_-]+$|^[_-]+/g;

/** Whether two names could be confused; not for a plural or different separators. */
function slip(a: string, b: string): boolean {
  const [x, y] = [bare(a), bare(b)];
  if (x === y) return a.replace(/[_-]+$/, "") !== a || b.replace(/[_-]+$/, "") !== b || foldLookalikes(a) !== a;
  if (x === `${y}s` || y === `${x}s`) return false;
  return (
    Math.min(x.length, y.length) >= 5 && distance(x, y) <= 2 && Math.abs(x.length - y.length) <= 2 && sharesEnds(x, y)
  );
}

const bare = (name: string) => name.toLowerCase().replace(/[_-]/g, "");
const sharesEnds = (x: string, y: string) => x[0] === y[0];

/** The edit distance of two names. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: Math.min(b.length, 64) + 1 }, (_, i) => i);
  for (let i = 1; i <= Math.min(a.length, 64); i++) {
    const next = [i];
    for (let j = 1; j < row.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** The share of the rival's words that a description repeats; zero for very short descriptions. */
function share(a: string, b: string): number {
  const [x, y] = [wordSet(a), wordSet(b)];
  if (y.size < 3 || x.size < 3) return 0;
  let common = 0;
  for (const word of y) if (x.has(word)) common++;
  return common / Math.max(y.size, Math.min(x.size, 2 * y.size) / 2);
}

function wordSet(text: string): Set<string> {
  return new Set(
    text
      .slice(0, MAX_COMPARED)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu),
  );
}
