import { looksMasked, MASK, maskSecret } from "./mask.ts";
import { isSecretName, isSecretVariable } from "./names.ts";
import { REFERENCE } from "./reference.ts";
import { maskKeyBlocks, maskShapes } from "./shapes.ts";
import { maskUrl } from "./url.ts";

/** The rest of a URL, from its `://` to its end. */
const ADDRESS = new RegExp(`://(?:${MASK}|[^\\s"'<>\`])+`, "uy");
/** Longer schemes are not recognised. (characters) */
const MAX_SCHEME = 31;
const BARE_SCHEME = new RegExp(
  `\\b([Bb]earer|BEARER|[Bb]asic|BASIC)([ \\t]{1,4})((?:(?!${MASK}|${REFERENCE})[^\\s"'<>\`,;])+)`,
  "gu",
);

/**
 * Masks the credentials in running text: error messages, log lines, header values, single arguments.
 *
 * It masks the credentials in URLs, the value of `name=value` and `name: value` if the name is secret, the token after
 * `Bearer`, and everything that has the form of a secret. Masks and references stay, so a second call changes nothing.
 * The time is proportional to the length of any text.
 *
 * @returns at most four times as long as a text of four characters or more
 * @see spec 000 §2.9 rule 4
 */
export function scrubText(text: string): string {
  let settled = text;
  // Masking can separate a secret from a longer word that it was a part of; the next round masks that secret.
  for (let round = 0; round < ROUNDS; round++) {
    const next = scrubOnce(settled);
    if (next === settled) break;
    settled = next;
  }
  return settled;
}

const ROUNDS = 4;

function scrubOnce(text: string): string {
  if (text.length < 4) return text;
  const addresses = maskUrls(maskKeyBlocks(text, maskSecret));
  const named = maskPlaced(maskPairs(addresses)).replace(
    BARE_SCHEME,
    (all: string, scheme: string, space: string, token: string) =>
      isToken(token) ? `${scheme}${space}${maskSecret(token)}` : all,
  );
  return maskShapes(named, maskSecret);
}

/** Masks the URLs in a text. It searches for `://`, because a search for schemes would read a long word many times. */
function maskUrls(text: string): string {
  let out = "";
  let from = 0;
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 1)) {
    const start = schemeStart(text, at, from);
    if (start === at) continue;
    ADDRESS.lastIndex = at;
    const rest = ADDRESS.exec(text);
    if (!rest) continue;
    const end = ADDRESS.lastIndex;
    out += text.slice(from, start) + maskUrl(text.slice(start, end));
    from = end;
    at = end - 1;
  }
  return out + text.slice(from);
}

/** Returns the index at which the scheme before a `://` begins; the index of the `://` if there is no scheme. */
function schemeStart(text: string, colon: number, from: number): number {
  let start = colon;
  for (let at = colon - 1; at >= Math.max(from, colon - MAX_SCHEME); at--) {
    const character = text[at]!;
    if (/[A-Za-z]/.test(character)) start = at;
    else if (!/[0-9+.-]/.test(character)) break;
  }
  return start;
}

/** `<password>…</password>`, as programs that use XML log it. */
const ELEMENT = /(<([A-Za-z_][\w.:-]{0,79})>)([^<>]{1,512})(?=<\/)/g;
/** A line of a `.netrc`. */
const NETRC = /(\blogin[ \t]{1,4}[^\s]{1,128}[ \t]{1,4}password[ \t]{1,4})([^\s•]{3,256})/g;
/** `curl -u name:password`, but not the user and group of `docker run -u 1000:1000`. */
const LOGIN_FLAG = /((?<![\w-])(?:-u|--user)[ \t=]{1,4}["']?[^\s:"']{1,128}:)(?!\d{1,9}(?![^\s"']))([^\s"'•]{3,256})/g;

/** Masks values that are secret because of their position in a text of a known form. */
function maskPlaced(text: string): string {
  let out = text;
  if (out.includes("</"))
    out = out.replace(ELEMENT, (all: string, open: string, name: string, value: string) =>
      isSecretName(name) && !STATEMENT.test(value.trim()) ? open + maskSecret(value) : all,
    );
  if (out.includes("login")) out = out.replace(NETRC, (_, head: string, secret: string) => head + maskSecret(secret));
  if (out.includes("-u")) out = out.replace(LOGIN_FLAG, (_, head: string, secret: string) => head + maskSecret(secret));
  return out;
}

/** Tells a token from an ordinary word: `Bearer token missing` is a sentence, `Bearer abc123` is not. */
function isToken(word: string): boolean {
  return word.length >= 20 || (word.length >= 6 && /\d/.test(word));
}

const NAME = "-{0,2}((?:(?:api|access|secret|private|auth) (?=keys?\\b|token))?[A-Za-z_][\\w.-]{0,79})";
const PAIR = new RegExp(
  `(?<![\\w.-])${NAME}((?:\\\\{0,3}["'])?[ \\t]{0,4}(?:=>|[:=](?!==?[ \\t]))[ \\t]{0,4}|[ \\t]{1,4})`,
  "gi",
);
const SCHEME = /(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)[ \t]{1,4}(?=\S)/iy;
const SHORT_SCHEME = /^(?:bearer|basic|token|apikey)/i;
/** Backticks quote single words; a single backtick is not an opening quote. */
const QUOTE = /\\{0,3}["']|`(?=[^`\s]{1,512}`)/y;
const KEPT = new RegExp(`${MASK}|${REFERENCE}`, "uy");
const RUN = new RegExp(`(?:(?!${MASK}|${REFERENCE})[^\\s"'\`])+`, "uy");
/** Words with which a message describes a secret, such as its state, instead of quoting it. */
const STATEMENT =
  /^(?:null|nil|none|undefined|true|false|missing|invalid|expired|required|unset|empty|not|is|was|has|must|should|denied|revoked|unauthorized|failed|error|redacted|hidden|bearer|basic|\*+)$/i;

/** Masks the values of secret names. Each name is visited once, and the search continues after the masked value. */
function maskPairs(text: string): string {
  // Its place is set before each search, so that the expression can be shared: making it takes longer than a search.
  PAIR.lastIndex = 0;
  let out = "";
  let from = 0;
  for (let match = PAIR.exec(text); match; match = PAIR.exec(text)) {
    const [whole, name, separator] = match as unknown as [string, string, string];
    if (!isSecretPair(whole, name, separator)) {
      // The value may be the name of the next pair: `message=token=…`.
      PAIR.lastIndex = match.index + whole.length - (separator.trim() === "" ? separator.length : 0);
      if (PAIR.lastIndex === match.index) PAIR.lastIndex++;
      continue;
    }
    const start = PAIR.lastIndex;
    const value = readValue(text, start, name, separator);
    out += text.slice(from, start) + value.masked;
    from = value.end;
    PAIR.lastIndex = Math.max(value.end, start);
  }
  return out + text.slice(from);
}

/**
 * Decides whether name and separator make the value secret. Fewer names count before a colon than before an equals
 * sign; a mere space separates only a `--flag` from its value.
 */
function isSecretPair(whole: string, name: string, separator: string): boolean {
  const mark = separator.trim();
  if (mark === "") return whole.startsWith("--") && isSecretVariable(name);
  return mark.endsWith("=") ? isSecretVariable(name) : isSecretName(name);
}

function readValue(text: string, start: number, name: string, separator: string): { masked: string; end: number } {
  const quote = at(QUOTE, text, start);
  if (quote) return readQuoted(text, start, quote);
  const head = at(SCHEME, text, start) ?? "";
  const body = start + head.length;
  if (/cookie/i.test(name) || (head !== "" && !SHORT_SCHEME.test(head))) return readLine(text, start, head);
  const first = text[body];
  // The value of `"tokens": {` is an object or array; its members are judged by their own names.
  if ((first === "{" || first === "[") && separator.includes(":")) return { masked: head, end: body };
  const run = readRun(text, body);
  return { masked: head + run.masked, end: run.end };
}

/**
 * Reads to the closing quote. Without one it reads to the end of the text, because the end of the secret is then
 * unknown.
 */
function readQuoted(text: string, start: number, quote: string): { masked: string; end: number } {
  const open = start + quote.length;
  const keptText = at(KEPT, text, open);
  if (keptText !== undefined && looksMasked(keptText)) return { masked: quote + keptText, end: open + keptText.length };
  const close = closing(text, open, quote);
  const value = text.slice(open, close);
  const masked = STATEMENT.test(value) ? value : maskQuoted(value);
  return { masked: quote + masked, end: close };
}

function maskQuoted(value: string): string {
  const head = at(SCHEME, value, 0) ?? "";
  return SHORT_SCHEME.test(head) ? head + maskSecret(value.slice(head.length)) : maskSecret(value);
}

function closing(text: string, open: number, quote: string): number {
  if (quote.length > 1) {
    const at = text.indexOf(quote, open);
    return at < 0 ? text.length : at;
  }
  for (let i = open; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === quote) return i;
  }
  return text.length;
}

function readLine(text: string, start: number, head: string): { masked: string; end: number } {
  const newline = text.indexOf("\n", start);
  const line = text.slice(start, newline < 0 ? text.length : newline).trimEnd();
  return { masked: head + maskSecret(line.slice(head.length)), end: start + line.length };
}

/** Reads to the next white space or quote; masks and references in between stay. */
function readRun(text: string, start: number): { masked: string; end: number } {
  let masked = "";
  let end = start;
  for (;;) {
    const keptText = at(KEPT, text, end);
    if (keptText !== undefined) {
      masked += keptText;
      end += keptText.length;
      continue;
    }
    const run = at(RUN, text, end);
    // After a mask or a reference, the next parameter may follow, which does not belong to the value.
    if (run === undefined || (masked !== "" && /^[&#,;)\]}>]/.test(run))) return { masked, end };
    const value = withoutClosing(run);
    masked += STATEMENT.test(value) ? value : maskSecret(value);
    end += value.length;
    if (value.length < run.length) return { masked, end };
  }
}

/** Removes the marks that end a sentence or close a bracket. An expression would read a long row of them many times. */
function withoutClosing(run: string): string {
  let end = run.length;
  while (end > 0 && ",;)]}>".includes(run[end - 1]!)) end--;
  return run.slice(0, end);
}

/** Returns the match of a sticky expression at one index. */
function at(expression: RegExp, text: string, index: number): string | undefined {
  expression.lastIndex = index;
  return expression.exec(text)?.[0];
}
