import type { SensitiveFinding, SensitiveLocation } from "../../core/schema/sensitive-finding.ts";
import { findSensitive } from "./find.ts";
import { partingPlace, plainText } from "./plain.ts";
import type { Rules } from "./rules.ts";

/** Maximum number of findings in one text, and of those found by entropy alone (reference 8.3). */
const MAX_FINDINGS = 50;
const MAX_BY_ENTROPY = 10;
/** Length of a piece; one takes about a millisecond (characters). */
const PIECE = 65_536;
/** Maximum distance that a match can extend beyond its piece (characters). */
const REACH = 4096;
/** Context before a piece, for look-behind (characters). */
const BEFORE = 256;

/** Whether a text is scanned in one piece. */
export function isShort(json: string, maxChars: number): boolean {
  return json.length <= PIECE && json.length <= maxChars;
}

/** Scans a short JSON text. */
export function scanShort(json: string, rules: Rules, location: SensitiveLocation): readonly SensitiveFinding[] {
  const text = plainText(json);
  const found = findSensitive(text, rules, {
    from: 0,
    to: text.length,
    location,
    most: MAX_FINDINGS,
    mostByEntropy: MAX_BY_ENTROPY,
  });
  return found.length === 0 ? NOTHING : found.map(({ start: _, end: __, ...one }) => ({ ...one, location }));
}

const NOTHING: readonly SensitiveFinding[] = [];

/**
 * Scans JSON text a piece at a time, so that the caller can yield to the event loop between pieces. The findings
 * contain no part of the values.
 *
 * @param json only its first `most` characters are scanned
 */
export function* scan(
  json: string,
  rules: Rules,
  location: SensitiveLocation,
  maxChars: number,
): Generator<void, SensitiveFinding[]> {
  const length = Math.min(json.length, maxChars);
  const findings: SensitiveFinding[] = [];
  let byEntropy = 0;
  for (let at = 0; at < length && findings.length < MAX_FINDINGS; ) {
    if (at > 0) yield;
    const next = partingPlace(json, Math.min(length, at + PIECE));
    // The rest is an escape that extends beyond the scanned part.
    if (next <= at) break;
    const before = plainText(json.slice(partingPlace(json, Math.max(0, at - BEFORE)), at));
    const core = plainText(json.slice(at, next));
    const piece = before + core + plainText(json.slice(next, partingPlace(json, Math.min(length, next + REACH))));
    const window = {
      from: before.length,
      to: before.length + core.length,
      location,
      most: MAX_FINDINGS - findings.length,
      mostByEntropy: MAX_BY_ENTROPY - byEntropy,
    };
    for (const { start: _, end: __, ...found } of findSensitive(piece, rules, window)) {
      if (found.category === "high_entropy") byEntropy++;
      findings.push({ ...found, location });
    }
    at = next;
  }
  return findings;
}
