import type { SensitiveFinding, SensitiveLocation } from "../../core/schema/sensitive-finding.ts";
import { find } from "./find.ts";
import { partingPlace, plainText } from "./plain.ts";
import type { Rules } from "./rules.ts";

/** Most findings of one text, and of them by entropy alone (reference 8.3). */
const MAX_FINDINGS = 50;
const MAX_BY_ENTROPY = 10;
/** Looked at in one go: a millisecond or so. (characters) */
const PIECE = 65_536;
/** So far beyond its piece may a finding reach. (characters) */
const REACH = 4096;
/** What stands before a piece, for the expressions that look back. (characters) */
const BEFORE = 256;

/** Whether a text is looked through in one go. */
export function isShort(json: string, most: number): boolean {
  return json.length <= PIECE && json.length <= most;
}

/** Looks through a short JSON text. */
export function scanShort(json: string, rules: Rules, location: SensitiveLocation): readonly SensitiveFinding[] {
  const text = plainText(json);
  const found = find(text, rules, {
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
 * Looks through JSON text, a piece at a time, so that whoever asks may let others have a turn between. The findings say
 * nothing of the values.
 *
 * @param json only its first `most` characters are looked at
 */
export function* scan(
  json: string,
  rules: Rules,
  location: SensitiveLocation,
  most: number,
): Generator<void, SensitiveFinding[]> {
  const length = Math.min(json.length, most);
  const findings: SensitiveFinding[] = [];
  let byEntropy = 0;
  for (let at = 0; at < length && findings.length < MAX_FINDINGS; ) {
    if (at > 0) yield;
    const next = partingPlace(json, Math.min(length, at + PIECE));
    // What is left is an escape that goes on beyond what is looked at.
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
    for (const { start: _, end: __, ...found } of find(piece, rules, window)) {
      if (found.category === "high_entropy") byEntropy++;
      findings.push({ ...found, location });
    }
    at = next;
  }
  return findings;
}

/** All of it at once. */
export function scanNow(
  json: string,
  rules: Rules,
  location: SensitiveLocation,
  most: number,
): readonly SensitiveFinding[] {
  if (isShort(json, most)) return scanShort(json, rules, location);
  const steps = scan(json, rules, location, most);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
