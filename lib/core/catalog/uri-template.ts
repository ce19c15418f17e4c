/** A limit on the work of comparing URIs with templates. Each comparison reduces it. */
interface TemplateEffort {
  /** The remaining work, in characters of the URI times parts of the template; each template costs at least one. */
  steps: number;
}

/** Returns the limit for one request, which takes a few milliseconds. */
export const templateEffort = (): TemplateEffort => ({ steps: 2_000_000 });

/**
 * True if a URI may be an expansion of a URI template (RFC 6570). In doubt it is true, because only the server knows
 * which values it accepts. The time is proportional to the length of the URI times the number of the template's parts.
 *
 * @param effort shared by all comparisons of one request
 * @returns undefined if not compared: the URI is too long, the template has too many parts, or the limit is reached
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
  // The positions in the URI at which the parts so far may end.
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
        // If this character cannot belong to the value, the value ends before it.
        if (isReached && at < uri.length && !piece.has(uri.charCodeAt(at))) isReached = false;
      }
    }
    if (!next.includes(1)) return false;
    places = next;
  }
  return places[uri.length] === 1;
}

/** Longer URIs are not compared (characters). */
const MAX_URI = 8192;
/** Maximum number of literals and expressions in a template. */
const MAX_PIECES = 32;

interface CharacterSet {
  has(code: number): boolean;
}

/** Splits a template into its literals and, for each expression, the characters that its values may contain. */
function piecesOf(template: string): (string | CharacterSet)[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (EXPRESSION.test(part) ? (VALUES[part[1]!] ?? SIMPLE) : part));
}

const EXPRESSION = /^\{[^{}]*\}$/;
/** Values of a simple expression: servers accept in them, without escapes, everything that does not end a path segment. */
const SIMPLE: CharacterSet = { has: (code) => code !== SLASH };
const SLASH = 0x2f;
const ANY: CharacterSet = { has: () => true };
/** The characters of the values of expressions with an operator; `.` is as simple. */
const VALUES: Readonly<Record<string, CharacterSet>> = { "+": ANY, "#": ANY, "/": ANY, ";": ANY, "?": ANY, "&": ANY };
