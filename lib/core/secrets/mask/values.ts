import { maskArgs } from "./args.ts";
import { MASK, maskSecret } from "./mask.ts";
import { isSecretHeader, isSecretName, isSecretVariable, percentDecoded } from "./names.ts";
import { scrubText } from "./text.ts";
import { maskUrl } from "./url.ts";

type Strings = Readonly<Record<string, string>>;

/** The parts of a server's definition that may contain secrets. */
interface Definition {
  readonly env?: Strings | undefined;
  readonly headers?: Strings | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly oauth?: { readonly [member: string]: unknown } | undefined;
}

/** Minimum length of a secret. Shorter values that people wrote are often ordinary words. (characters) */
const SHORTEST = 6;
/** Values under a secret name that are not secrets. */
const ORDINARY =
  /^(?:disabled|enabled|required|optional|default|missing|production|development|localhost|secret|password)$/i;

/**
 * Returns the plain-text secrets of a definition, found by the rules that mask it for display, so that they can also be
 * masked in everything that the server writes. Values of references are not included.
 */
export function secretValuesIn({ env = {}, headers = {}, args = [], url = "", oauth = {} }: Definition): string[] {
  const masked = maskArgs(args);
  const found = [
    ...Object.entries(env).flatMap(([name, value]) => (isSecretVariable(name) ? [value] : scrubbed(value))),
    ...Object.entries(headers).flatMap(([name, value]) =>
      isSecretHeader(name) ? credentials(value) : scrubbed(value),
    ),
    ...args.flatMap((arg, i) => hidden(arg, masked[i]!)),
    ...hidden(url, maskUrl(url)).flatMap((piece) => [piece, percentDecoded(piece)]),
    ...ofSignIn(oauth),
  ];
  return found.filter((value) => value.length >= SHORTEST && !ORDINARY.test(value) && !value.includes("${"));
}

const scrubbed = (value: string) => hidden(value, scrubText(value));

/** Returns the forms of a value that a server may repeat: `abc` of `Bearer abc`, the password inside `Basic …`. */
function credentials(value: string): string[] {
  const [, scheme = "", rest] = /^(Bearer|Basic|Token|ApiKey)\s+(.+)$/is.exec(value) ?? [];
  if (rest === undefined) return [value];
  if (!/^basic$/i.test(scheme)) return [value, rest];
  const plain = Buffer.from(rest, "base64").toString("utf8");
  return [value, rest, plain.slice(plain.indexOf(":") + 1)];
}

function ofSignIn({ client_secret, private_key, extra_params }: { readonly [member: string]: unknown }): string[] {
  const extra = Object.entries((extra_params ?? {}) as object).filter(([name]) => isSecretName(name));
  return [client_secret, private_key, ...extra.map(([, value]) => value)].filter((value) => typeof value === "string");
}

/** Returns the parts of a text that masking replaced. It finds them by the lengths that the masks state. */
function hidden(text: string, masked: string): string[] {
  const found: string[] = [];
  const characters = [...text];
  let at = 0;
  let from = 0;
  for (const match of masked.matchAll(new RegExp(MASK, "gu"))) {
    at += [...masked.slice(from, match.index)].length;
    const length = Number(/(\d+) chars\)$/.exec(match[0])![1]);
    found.push(characters.slice(at, at + length).join(""));
    at += length;
    from = match.index + match[0].length;
  }
  // If the lengths do not add up, the text was masked in several steps and the original positions are unknown.
  return at + [...masked.slice(from)].length === characters.length ? found : [text];
}

/**
 * Servers may print a long secret line by line, so lines of at least this length are masked separately. (characters)
 */
const LONG_LINE = 16;

/** Returns the same mask for every secret, so that masked text does not change when the secret does. */
export const fixedMask = (): string => "••••";

/**
 * Makes a function that replaces known secrets in running text, in every form in which programs repeat them.
 *
 * @param maskOf returns the mask of a value, which replaces each form of it; by default that of spec 000 §2.9 rule 1,
 *   which later masking does not change
 */
export function hideValues(values: Iterable<string>, maskOf = maskOfValue): (text: string) => string {
  const masks = new Map<string, string>();
  for (const value of values)
    for (const form of formsOf(value)) if (form !== "" && !masks.has(form)) masks.set(form, maskOf(value));
  const forms = [...masks].sort(([a], [b]) => b.length - a.length);
  if (forms.length === 0) return unchanged;
  return (text) =>
    forms.reduce((out, [form, masked]) => (out.includes(form) ? out.replaceAll(form, () => masked) : out), text);
}

/** One function for all: one made in `hideValues` would keep its variables, for each server. */
const unchanged = (text: string) => text;

/**
 * Masks a value. It omits the last two characters if one is not a letter or digit, as it could end a surrounding quote.
 */
function maskOfValue(value: string): string {
  const masked = maskSecret(value);
  return /^•{4}[A-Za-z0-9]{2} /.test(masked) ? masked : `•••• (${[...value].length} chars)`;
}

function formsOf(value: string): string[] {
  const lines = value.includes("\n") ? value.split(/\r?\n/).filter((line) => line.length >= LONG_LINE) : [];
  const escaped = percentEncoded(value);
  const plain = [value, escaped, escaped.replaceAll("%20", "+"), JSON.stringify(value).slice(1, -1), ...lines];
  if (value.length < SHORTEST) return plain;
  const bytes = Buffer.from(value);
  const encoded = bytes.toString("base64");
  return [...plain, encoded, encoded.replace(/=+$/, ""), bytes.toString("base64url")];
}

function percentEncoded(value: string): string {
  return /\p{Cs}/u.test(value) ? value : encodeURIComponent(value);
}
