import type { SensitiveFinding, SensitiveLocation, SensitiveMatch } from "../../core/schema/sensitive-finding.ts";
import { readings } from "./encoded.ts";
import { findSensitive } from "./find.ts";
import { partingPlace, plainText } from "./plain.ts";
import type { Rules } from "./rules.ts";

/** Length of a piece; one takes at most a few milliseconds (characters). */
const PIECE = 16_384;
/** Maximum distance that a match can extend beyond its piece (characters). */
const REACH = 4096;
/** Context before a piece, for look-behind (characters). */
const BEFORE = 256;
/** Maximum number of findings; above it, only those of a new type are added. */
const MAX_FINDINGS = 50;

/** Length of a piece: each configured pattern reads it once more, so many patterns make it shorter. */
const pieceOf = ({ patterns }: Rules) => Math.max(2048, Math.floor(PIECE / (1 + patterns.length / 4)));

/**
 * Finds everything in a plain text of any length, a piece at a time; the caller may pause between two.
 *
 * @returns matches in the order of the text, without overlaps
 */
export function* sweep(text: string, rules: Rules, location: SensitiveLocation): Generator<void, SensitiveMatch[]> {
  const matches: SensitiveMatch[] = [];
  for (let at = 0; at < text.length; ) {
    if (at > 0) yield;
    const to = Math.min(text.length, at + pieceOf(rules));
    const offset = Math.max(0, at - BEFORE);
    const piece = text.slice(offset, to + REACH);
    const window = { from: at - offset, to: to - offset, location, most: ALL, mostByEntropy: ALL };
    let over = to;
    for (const match of findSensitive(piece, rules, window)) {
      const cut = match.category === "private_key" && match.end === piece.length;
      const end = cut ? keyEnd(text, offset + match.end) : offset + match.end;
      matches.push({ ...match, start: offset + match.start, end });
      over = Math.max(over, end);
    }
    at = over;
  }
  return matches.sort((a, b) => a.start - b.start);
}

const ALL = Number.POSITIVE_INFINITY;

/** The end of a private key that extends beyond its piece. */
function keyEnd(text: string, from: number): number {
  const last = text.indexOf("-----END ", Math.max(0, from - 16));
  const close = last < 0 ? -1 : text.indexOf("-----", last + 9);
  return close < 0 ? text.length : close + 5;
}

/**
 * Searches JSON text completely and in all readings (`encoded.ts`), for policies that block findings. Decoys cannot
 * stop the search: of any number of findings, the first of each type is reported.
 */
export function* searchWhole(
  json: string,
  rules: Rules,
  location: SensitiveLocation,
): Generator<void, readonly SensitiveFinding[]> {
  const findings: SensitiveFinding[] = [];
  const types = new Set<string>();
  const add = ({ start: _, end: __, ...match }: SensitiveMatch) => {
    const key = `${match.type} ${match.severity} ${match.is_likely_example}`;
    if (findings.length >= MAX_FINDINGS && types.has(key)) return;
    types.add(key);
    findings.push({ ...match, location });
  };
  const size = pieceOf(rules);
  for (let at = 0; at < json.length; ) {
    if (at > 0) yield;
    const next = partingPlace(json, Math.min(json.length, at + size));
    if (next <= at) break;
    const before = plainText(json.slice(partingPlace(json, Math.max(0, at - BEFORE)), at));
    const core = plainText(json.slice(at, next));
    const piece = before + core + plainText(json.slice(next, partingPlace(json, Math.min(json.length, next + REACH))));
    const window = { from: before.length, to: before.length + core.length };
    for (const match of findSensitive(piece, rules, { ...window, location, most: ALL, mostByEntropy: 10 })) add(match);
    for (const reading of readings(piece)) {
      yield;
      // Equal to an earlier reading, or bits that encode something else.
      for (const match of findSensitive(reading, rules, whole(reading, location)))
        if (
          match.category !== "high_entropy" &&
          !types.has(`${match.type} ${match.severity} ${match.is_likely_example}`)
        )
          add(match);
    }
    at = next;
  }
  return findings;
}

function whole(text: string, location: SensitiveLocation) {
  return { from: 0, to: text.length, location, most: ALL, mostByEntropy: 0 };
}
