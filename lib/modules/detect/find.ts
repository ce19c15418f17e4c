import type { SensitiveLocation, SensitiveMatch, SensitiveSeverity } from "../../core/schema/sensitive-finding.ts";
import { areNone, findCandidates } from "./candidates.ts";
import { ALL_KINDS } from "./characters.ts";
import { isKeyMaterial, MAX_KEY } from "./entropy.ts";
import { isLikelyExample } from "./example.ts";
import { ENV_FILE, FILE, FILE_TYPES, KEY_FILE } from "./files.ts";
import { KEYED } from "./keyed.ts";
import { isCard, isIban } from "./numbers.ts";
import type { Rules } from "./rules.ts";
import { nextShape } from "./runs.ts";
import { SHAPES, type Shape, WIDE_SHAPES } from "./shapes.ts";

/** The part of a text to search: matches must start in `[from, to)` and may end after it. */
interface Window {
  from: number;
  to: number;
  location: SensitiveLocation;
  /** Maximum number of matches, and of those found by entropy alone. */
  most: number;
  mostByEntropy: number;
}

interface Kind {
  type: string;
  category: string;
  severity: SensitiveSeverity;
}

/** The position after the letter of an escape sequence in a nested JSON string; the letter is not part of the value. */
const IN_TEXT = "(?<=\\\\[nrt])";
/** Matches at one position that does not follow a letter or digit. */
const SHAPE = new RegExp(SHAPES.map(({ source }) => `(${source})`).join("|"), "y");
const WIDE_SHAPE = new RegExp(WIDE_SHAPES.map(({ source }) => `(${source})`).join("|"), "g");
/** In a nested JSON string, quotes are preceded by backslashes. */
const ASSIGN = "\\\\{0,3}[\"'\\]]{0,2}\\s{0,4}(?:=>|:=|[:=])\\s{0,4}\\\\{0,3}[\"']?";
const ASSIGNED = new RegExp(
  `(?:(?<![A-Za-z])|${IN_TEXT})(?:${KEYED.map(({ name, value }) => `(?:${name})${ASSIGN}(${value})`).join("|")})`,
  "gi",
);
const BEARER = /(?<![A-Za-z0-9])Bearer\s{1,4}[\w.~+/-]{20,}=*/gi;
const GO_DSN = /@(?:tcp|unix)\((?<=(?<![\w.-])[\w.-]{1,64}:[^\s@/]{1,128}@(?:tcp|unix)\()/g;
const KEY_BLOCK = /-----BEGIN ([A-Z0-9 ]{0,32})PRIVATE KEY(?: BLOCK)?-----/g;
const CARD = /(?:(?<![\w.-])|(?<=\\[nrt]))\d(?:[ .-]?\d){12,18}(?![\w]|[.-]\d)/g;
const IBAN = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/y;
/** Labels of a digest. */
const DIGEST = /(?:sha\d{1,3}|md5)[:=]$/i;

const NOWHERE: readonly number[] = [];

const KEY_TYPES: Readonly<Record<string, string>> = {
  RSA: "rsa_private_key",
  EC: "ec_private_key",
  DSA: "dsa_private_key",
  OPENSSH: "openssh_private_key",
  PGP: "pgp_private_key",
  ENCRYPTED: "encrypted_private_key",
  "": "pkcs8_private_key",
};

/**
 * Finds sensitive data in a text. The matches of each method are in the order of the text. If two methods match at the
 * same position, only the more specific one is reported. The time is proportional to the size of the window, whatever
 * its content.
 *
 * Each expression is tried only at positions that contain the characters it requires; most texts have none.
 */
export function findSensitive(text: string, rules: Rules, window: Window): SensitiveMatch[] {
  const { from, to, location, most, mostByEntropy } = window;
  const found: SensitiveMatch[] = [];
  const candidates = findCandidates(text, from, to, location === "arguments");
  if (areNone(candidates) && rules.patterns.length === 0 && rules.keywords.length === 0) return found;

  const add = (kind: Kind, start: number, end: number, example = isLikelyExample(text.slice(start, end))): boolean => {
    if (found.length >= most) return false;
    if (!found.some((other) => start < other.end && other.start < end)) {
      const { type, category, severity } = kind;
      found.push({ type, category, severity, is_likely_example: example, start, end });
    }
    return found.length < most;
  };

  /** Calls `take` with each match that starts in the window at `first` or later, until it returns false. */
  const each: Each = (expression, category, first, take) => {
    if (first < 0 || rules.off.has(category) || found.length >= most) return;
    expression.lastIndex = first;
    for (let match = expression.exec(text); match && match.index < to; match = expression.exec(text))
      if (!take(match)) return;
  };

  each(KEY_BLOCK, "private_key", candidates.keyBlock, (match) => {
    const begin = match.index;
    const body = begin + match[0].length;
    const label = match[1]!.trim();
    const kind: Kind = { type: KEY_TYPES[label] ?? "private_key", category: "private_key", severity: "critical" };
    const last = text.indexOf("-----END ", body);
    const close = last < 0 ? -1 : text.indexOf("-----", last + 9);
    const end = close < 0 ? text.length : close + 5;
    KEY_BLOCK.lastIndex = end;
    // A PEM header without key data: the text only mentions keys.
    const bare = !/[A-Za-z0-9+/=]{32}/.test(text.slice(body, Math.min(end, body + 600)));
    return add(kind, begin, bare ? body : end, bare || isLikelyExample(text.slice(body, Math.min(end, body + 400))));
  });
  const assigned = (match: RegExpExecArray, offset: number): boolean => {
    const at = match.findIndex((group, i) => i > 0 && group !== undefined);
    const kind = KEYED[at - 1]!;
    const value = match[at]!;
    const end = offset + match.index + match[0].length;
    if (rules.off.has(kind.category) || kind.check?.(value) === false) return true;
    return add(kind, end - value.length, end);
  };
  if (candidates.assigned) eachAssigned(text, from, to, candidates.assigned, assigned);
  else each(ASSIGNED, "", candidates.assignedFrom, (match) => assigned(match, 0));
  const shaped = (shapes: readonly Shape[], match: RegExpExecArray, offset: number): boolean => {
    const at = match.findIndex((group, i) => i > 0 && group !== undefined);
    const kind = shapes[at - 1]!;
    if (rules.off.has(kind.category) || kind.check?.(match[0]) === false) return true;
    return add(kind, offset + match.index, offset + match.index + match[0].length);
  };
  each(WIDE_SHAPE, "", candidates.wide, (match) => shaped(WIDE_SHAPES, match, 0));
  const shapes = candidates.shapes ?? NOWHERE;
  for (let i = 0; i < shapes.length && found.length < most; i += 3) {
    const start = shapes[i]!;
    const run = text.slice(start, shapes[i + 1]);
    for (let at = shapes[i + 2]! - start; at >= 0; ) {
      SHAPE.lastIndex = at;
      const match = SHAPE.exec(run);
      if (match && !shaped(SHAPES, match, start)) break;
      at = nextShape(run, match ? SHAPE.lastIndex : at + 1);
    }
  }
  each(GO_DSN, "database_credential", candidates.goDsn, (match) => {
    const head = /[\w.-]{1,64}:[^\s@/]{1,128}$/.exec(text.slice(Math.max(0, match.index - 193), match.index))![0];
    const kind: Kind = { type: "mysql_connection", category: "database_credential", severity: "critical" };
    return add(kind, match.index - head.length, match.index);
  });
  each(BEARER, "auth_token", candidates.bearer, (match) => {
    const token = match[0].replace(/^\S+\s+/, "");
    if (!/\d/.test(token)) return true;
    const end = match.index + match[0].length;
    return add({ type: "bearer_token", category: "auth_token", severity: "medium" }, end - token.length, end);
  });
  if (candidates.cards && !rules.off.has("credit_card")) findCards(text, candidates.cards, to, add);
  if (candidates.ibans && !rules.off.has("bank_account")) findIbans(text, candidates.ibans, to, add);
  if (candidates.file) findFiles(from, each, add);
  findOwn(text, rules, window, add);
  if (rules.off.has("high_entropy")) return found;
  let byEntropy = 0;
  const chains = candidates.chains ?? NOWHERE;
  for (let i = 0; i < chains.length; i += 3) {
    if (found.length >= most || byEntropy >= mostByEntropy) break;
    const start = chains[i]!;
    const end = chains[i + 1]!;
    if (chains[i + 2] !== ALL_KINDS) continue;
    if (found.some((other) => start < other.end && other.start < end)) continue;
    if (end - start > MAX_KEY || DIGEST.test(text.slice(Math.max(0, start - 8), start))) continue;
    if (!isKeyMaterial(text.slice(start, end), rules.entropy)) continue;
    byEntropy++;
    add({ type: "high_entropy_string", category: "high_entropy", severity: "medium" }, start, end);
  }
  return found;
}

/** Finds the cards in each digit sequence, which contains every card that starts in it. */
function findCards(text: string, rows: readonly number[], to: number, add: Add): void {
  const kind: Kind = { type: "credit_card", category: "credit_card", severity: "critical" };
  for (const row of rows) {
    // Includes the context that the expression's look-behind and look-ahead need.
    const context = Math.max(0, row - 3);
    const read = text.slice(context, rowEnd(text, row) + 2);
    CARD.lastIndex = row - context;
    for (let match = CARD.exec(read); match && context + match.index < to; match = CARD.exec(read)) {
      const start = context + match.index;
      if (isCard(match[0]) && !add(kind, start, start + match[0].length)) return;
    }
  }
}

function findIbans(text: string, places: readonly number[], to: number, add: Add): void {
  const kind: Kind = { type: "iban", category: "bank_account", severity: "high" };
  let over = 0;
  for (const place of places) {
    if (place < over || place >= to) continue;
    IBAN.lastIndex = place;
    const match = IBAN.exec(text);
    if (!match) continue;
    over = IBAN.lastIndex;
    if (isIban(match[0]) && !add(kind, place, over)) return;
  }
}

/** Maximum length of a name of `KEYED` with its separator, before the `=` or `:` and after it (characters). */
const MAX_NAME = 48;
const MAX_ASSIGNED = 256;

/** Searches around each `=` or `:` after such a name. A match starts before the first `=` or `:` that belongs to it. */
function eachAssigned(
  text: string,
  from: number,
  to: number,
  operators: readonly number[],
  take: (match: RegExpExecArray, offset: number) => boolean,
): void {
  let over = from;
  for (const operator of operators) {
    if (operator < over) continue;
    const first = Math.max(over, operator - MAX_NAME);
    // Includes the context that the expression's look-behind needs.
    const offset = Math.max(0, first - 2);
    ASSIGNED.lastIndex = first - offset;
    const match = ASSIGNED.exec(text.slice(offset, operator + MAX_ASSIGNED));
    const start = match ? offset + match.index : operator;
    if (!match || start >= operator || start >= to) continue;
    if (!take(match, offset)) return;
    over = offset + ASSIGNED.lastIndex;
  }
}

/** The end of a digit sequence with at most one separator between two digits. */
function rowEnd(text: string, row: number): number {
  const isDigit = (at: number) => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;
  let end = row;
  while (isDigit(end) || (isDigit(end + 1) && " .-".includes(text[end]!))) end++;
  return end;
}

type Each = (expression: RegExp, category: string, first: number, take: (match: RegExpExecArray) => boolean) => void;
type Add = (kind: Kind, start: number, end: number, example?: boolean) => boolean;

function findFiles(from: number, each: Each, add: Add): void {
  const category = "sensitive_file";
  each(FILE, category, from, (match) => {
    const at = match.findIndex((group, i) => i > 0 && group !== undefined);
    const [type, severity] = FILE_TYPES[at - 1]!;
    return add({ type, category, severity }, match.index, match.index + match[0].length, false);
  });
  for (const [expression, type] of [
    [KEY_FILE, "private_key_file"],
    [ENV_FILE, "env_file"],
  ] as const)
    each(expression, category, from, (match) =>
      add({ type, category, severity: "high" }, match.index, match.index + match[0].length, false),
    );
}

/** Finds matches of the configured patterns and keywords. */
function findOwn(text: string, rules: Rules, { from, to, most }: Window, add: Add): void {
  if (rules.off.has("custom")) return;
  for (const { matcher, ...kind } of rules.patterns)
    for (const { start, end } of matcher.find(text, from, to, most)) if (!add(kind, start, end)) return;
  if (rules.keywords.length === 0) return;
  // Some letters change their length in lower case; such a text is searched as it is.
  const small = text.toLowerCase();
  const read = small.length === text.length ? small : text;
  for (const { word, ...kind } of rules.keywords)
    for (let at = read.indexOf(word, from); at >= 0 && at < to; at = read.indexOf(word, at + word.length))
      if (!add(kind, at, at + word.length, false)) return;
}
