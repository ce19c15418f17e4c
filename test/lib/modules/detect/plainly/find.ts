import type { SensitiveLocation, SensitiveMatch, SensitiveSeverity } from "#lib/core/schema/sensitive-finding.ts";
import { isKeyMaterial, MAX_KEY, SHORTEST_KEY } from "#lib/modules/detect/entropy.ts";
import { isLikelyExample } from "#lib/modules/detect/example.ts";
import { ENV_FILE, FILE, FILE_TYPES, KEY_FILE } from "#lib/modules/detect/files.ts";
import { KEYED } from "#lib/modules/detect/keyed.ts";
import { isCard, isIban } from "#lib/modules/detect/numbers.ts";
import type { Rules } from "#lib/modules/detect/rules.ts";
import { SHAPES, SHORTEST, type Shape, WIDE_SHAPES } from "#lib/modules/detect/shapes.ts";
import { type Run, runs } from "./runs.ts";

/** Where to look: matches that begin in `[from, to)` are found, and may end beyond. */
export interface Window {
  from: number;
  to: number;
  location: SensitiveLocation;
  /** How many at most, and of them by entropy alone. */
  most: number;
  mostByEntropy: number;
}

interface Kind {
  type: string;
  category: string;
  severity: SensitiveSeverity;
}

/** Behind an escape (`\n`) of a text within a text, whose letter is no part of the value. */
const IN_TEXT = "(?<=\\\\[nrt])";
const SHAPE = new RegExp(`(?<![A-Za-z0-9])(?:${SHAPES.map(({ source }) => `(${source})`).join("|")})`, "g");
const WIDE_SHAPE = new RegExp(WIDE_SHAPES.map(({ source }) => `(${source})`).join("|"), "g");
const ASSIGN = "\\\\{0,3}[\"'\\]]{0,2}\\s{0,4}(?:=>|:=|[:=])\\s{0,4}\\\\{0,3}[\"']?";
const ASSIGNED = new RegExp(
  `(?:(?<![A-Za-z])|${IN_TEXT})(?:${KEYED.map(({ name, value }) => `(?:${name})${ASSIGN}(${value})`).join("|")})`,
  "gi",
);
const BEARER = /(?<![A-Za-z0-9])Bearer\s{1,4}[\w.~+/-]{20,}=*/gi;
const GO_DSN = /@(?:tcp|unix)\((?<=(?<![\w.-])[\w.-]{1,64}:[^\s@/]{1,128}@(?:tcp|unix)\()/g;
const KEY_BLOCK = /-----BEGIN ([A-Z0-9 ]{0,32})PRIVATE KEY(?: BLOCK)?-----/g;
const CARD = /(?:(?<![\w.-])|(?<=\\[nrt]))\d(?:[ .-]?\d){12,18}(?![\w]|[.-]\d)/g;
const IBAN = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;
/** What stands before a digest. */
const DIGEST = /(?:sha\d{1,3}|md5)[:=]$/i;
/** What can be key material. */
const RUN = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/=_-]{20,}/g;

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
 * Finds sensitive data in a text, in the order in which it stands there for each way of looking. What two ways find in
 * one place is told once, by the more telling of them. Takes time in proportion to the window, whatever it holds.
 */
export function find(text: string, rules: Rules, window: Window): SensitiveMatch[] {
  const { from, to, location, most, mostByEntropy } = window;
  const found: SensitiveMatch[] = [];

  const add = (kind: Kind, start: number, end: number, example = isLikelyExample(text.slice(start, end))): boolean => {
    if (found.length >= most) return false;
    if (!found.some((other) => start < other.end && other.start < end)) {
      const { type, category, severity } = kind;
      found.push({ type, category, severity, is_likely_example: example, start, end });
    }
    return found.length < most;
  };

  /** Calls `take` with each match that begins in the window, until it answers false. */
  const each = (expression: RegExp, category: string, take: (match: RegExpExecArray) => boolean) => {
    if (rules.off.has(category) || found.length >= most) return;
    expression.lastIndex = from;
    for (let match = expression.exec(text); match && match.index < to; match = expression.exec(text))
      if (!take(match)) return;
  };

  each(KEY_BLOCK, "private_key", (match) => {
    const begin = match.index;
    const body = begin + match[0].length;
    const label = match[1]!.trim();
    const kind: Kind = { type: KEY_TYPES[label] ?? "private_key", category: "private_key", severity: "critical" };
    const last = text.indexOf("-----END ", body);
    const close = last < 0 ? -1 : text.indexOf("-----", last + 9);
    const end = close < 0 ? text.length : close + 5;
    KEY_BLOCK.lastIndex = end;
    // Only the first line: somebody speaks of keys.
    const bare = !/[A-Za-z0-9+/=]{32}/.test(text.slice(body, Math.min(end, body + 600)));
    return add(kind, begin, bare ? body : end, bare || isLikelyExample(text.slice(body, Math.min(end, body + 400))));
  });
  each(ASSIGNED, "", (match) => {
    const at = match.findIndex((group, i) => i > 0 && group !== undefined);
    const kind = KEYED[at - 1]!;
    const value = match[at]!;
    const end = match.index + match[0].length;
    if (rules.off.has(kind.category) || kind.check?.(value) === false) return true;
    return add(kind, end - value.length, end);
  });
  const shaped = (shapes: readonly Shape[], match: RegExpExecArray, offset: number): boolean => {
    const at = match.findIndex((group, i) => i > 0 && group !== undefined);
    const kind = shapes[at - 1]!;
    if (rules.off.has(kind.category) || kind.check?.(match[0]) === false) return true;
    return add(kind, offset + match.index, offset + match.index + match[0].length);
  };
  each(WIDE_SHAPE, "", (match) => shaped(WIDE_SHAPES, match, 0));
  /** What may be key material, looked at once all else is known. */
  const chains: Run[] = [];
  for (const run of runs(text, from, to, SHORTEST)) {
    if (found.length >= most) break;
    const start = escaped(text, run.start) ? run.start + 1 : run.start;
    const part = text.slice(start, run.end);
    SHAPE.lastIndex = 0;
    for (let match = SHAPE.exec(part); match; match = SHAPE.exec(part)) if (!shaped(SHAPES, match, start)) break;
    if (part.length >= SHORTEST_KEY) chain(chains, text, start, part);
  }
  each(GO_DSN, "database_credential", (match) => {
    const head = /[\w.-]{1,64}:[^\s@/]{1,128}$/.exec(text.slice(Math.max(0, match.index - 193), match.index))![0];
    const kind: Kind = { type: "mysql_connection", category: "database_credential", severity: "critical" };
    return add(kind, match.index - head.length, match.index);
  });
  each(BEARER, "auth_token", (match) => {
    const token = match[0].replace(/^\S+\s+/, "");
    if (!/\d/.test(token)) return true;
    const end = match.index + match[0].length;
    return add({ type: "bearer_token", category: "auth_token", severity: "medium" }, end - token.length, end);
  });
  each(CARD, "credit_card", (match) => {
    if (!isCard(match[0])) return true;
    const kind: Kind = { type: "credit_card", category: "credit_card", severity: "critical" };
    return add(kind, match.index, match.index + match[0].length);
  });
  each(IBAN, "bank_account", (match) => {
    if (!isIban(match[0])) return true;
    return add(
      { type: "iban", category: "bank_account", severity: "high" },
      match.index,
      match.index + match[0].length,
    );
  });
  if (location === "arguments") findFiles(each, add);
  findOwn(text, rules, window, add);
  if (rules.off.has("high_entropy")) return found;
  let byEntropy = 0;
  for (const { start, end } of chains) {
    if (found.length >= most || byEntropy >= mostByEntropy) break;
    if (found.some((other) => start < other.end && other.start < end)) continue;
    if (end - start > MAX_KEY || DIGEST.test(text.slice(Math.max(0, start - 8), start))) continue;
    if (!isKeyMaterial(text.slice(start, end), rules.entropy)) continue;
    byEntropy++;
    add({ type: "high_entropy_string", category: "high_entropy", severity: "medium" }, start, end);
  }
  return found;
}

/** The beginning of a run is the end of an escape (`\n`) of a text within a text. */
function escaped(text: string, start: number): boolean {
  return text[start - 1] === "\\" && /[nrt]/.test(text[start]!);
}

/** Adds the parts of a run that can be key material; a full line after a full line belongs to it. */
function chain(chains: Run[], text: string, offset: number, part: string): void {
  RUN.lastIndex = 0;
  for (let match = RUN.exec(part); match; match = RUN.exec(part)) {
    const start = offset + match.index;
    const end = start + match[0].length;
    const last = chains.at(-1);
    if (last && start - last.end <= 2 && /^\r?\n$/.test(text.slice(last.end, start))) last.end = end;
    else chains.push({ start, end });
  }
}

type Each = (expression: RegExp, category: string, take: (match: RegExpExecArray) => boolean) => void;
type Add = (kind: Kind, start: number, end: number, example?: boolean) => boolean;

function findFiles(each: Each, add: Add): void {
  const category = "sensitive_file";
  each(FILE, category, (match) => {
    const at = match.findIndex((group, i) => i > 0 && group !== undefined);
    const [type, severity] = FILE_TYPES[at - 1]!;
    return add({ type, category, severity }, match.index, match.index + match[0].length, false);
  });
  for (const [expression, type] of [
    [KEY_FILE, "private_key_file"],
    [ENV_FILE, "env_file"],
  ] as const)
    each(expression, category, (match) =>
      add({ type, category, severity: "high" }, match.index, match.index + match[0].length, false),
    );
}

/** What the operator's own patterns and words find. */
function findOwn(text: string, rules: Rules, { from, to, most }: Window, add: Add): void {
  if (rules.off.has("custom")) return;
  for (const { matcher, ...kind } of rules.patterns)
    for (const { start, end } of matcher.find(text, from, to, most)) if (!add(kind, start, end)) return;
  if (rules.keywords.length === 0) return;
  // Not all letters keep their length in small letters; such a text is read as it is.
  const small = text.toLowerCase();
  const read = small.length === text.length ? small : text;
  for (const { word, ...kind } of rules.keywords)
    for (let at = read.indexOf(word, from); at >= 0 && at < to; at = read.indexOf(word, at + word.length))
      if (!add(kind, at, at + word.length, false)) return;
}
