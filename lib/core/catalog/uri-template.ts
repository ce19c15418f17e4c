/** Work that may still be done on comparing URIs with templates; comparing takes from it. */
interface TemplateEffort {
  /** Characters times pieces of a template; each template costs at least one. */
  steps: number;
}

/** What one request may compare: a few milliseconds. */
export const templateEffort = (): TemplateEffort => ({ steps: 2_000_000 });

/**
 * Whether a URI may be an expansion of a URI template (RFC 6570). It errs on the side of yes: which values a server takes
 * is its own matter. The time is proportional to the length of the URI times the number of the template's pieces.
 *
 * @param effort shared by the comparisons of one request
 * @returns undefined for what is not compared: too long a URI, too many pieces, or the effort is used up
 */
export function matchesUriTemplate(
  template: string,
  uri: string,
  effort: TemplateEffort = templateEffort(),
): boolean | undefined {
  if (--effort.steps < 0) return undefined;
  // Most templates differ in their first literal.
  const literal = template.indexOf("{");
  if (literal > 0 && !uri.startsWith(template.slice(0, literal))) return false;
  if (uri.length > MAX_URI) return undefined;
  const pieces = piecesOf(template);
  effort.steps -= pieces.length * uri.length;
  if (pieces.length > MAX_PIECES || effort.steps < 0) return undefined;
  // Places up to which the pieces so far may reach.
  let places = new Uint8Array(uri.length + 1);
  places[0] = 1;
  for (const piece of pieces) {
    const next = new Uint8Array(uri.length + 1);
    if (typeof piece === "string") {
      for (let at = 0; at + piece.length <= uri.length; at++)
        if (places[at] && uri.startsWith(piece, at)) next[at + piece.length] = 1;
    } else {
      let isReached = false;
      for (let at = 0; at <= uri.length; at++) {
        if (places[at]) isReached = true;
        if (isReached) next[at] = 1;
        // The next character belongs to the value, or the value ends before it.
        if (isReached && at < uri.length && !piece.has(uri.charCodeAt(at))) isReached = false;
      }
    }
    if (!next.includes(1)) return false;
    places = next;
  }
  return places[uri.length] === 1;
}

/** Longest URI that is compared (characters). */
const MAX_URI = 8192;
/** Most literals and expressions of a template. */
const MAX_PIECES = 32;

interface CharacterSet {
  has(code: number): boolean;
}

/** Literals, and for each expression the characters that its values may have. */
function piecesOf(template: string): (string | CharacterSet)[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (EXPRESSION.test(part) ? (VALUES[part[1]!] ?? SIMPLE) : part));
}

const EXPRESSION = /^\{[^{}]*\}$/;
/** Unreserved and encoded characters, what joins several values, and what lies beyond ASCII, which some leave as it is. */
const SIMPLE = characters("");
const ANY: CharacterSet = { has: () => true };
const VALUES: Readonly<Record<string, CharacterSet>> = {
  "+": ANY,
  "#": ANY,
  "/": characters("/"),
  ";": characters(";"),
  "?": characters("?&"),
  "&": characters("?&"),
};

function characters(more: string): CharacterSet {
  const ascii = Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    return /[A-Za-z0-9\-._~%,=]/.test(character) || more.includes(character);
  });
  return { has: (code) => ascii[code] ?? true };
}
