/**
 * Whether a URI may be an expansion of a URI template (RFC 6570). It errs on the side of yes: which values a server takes
 * is its own matter. The time is proportional to the length of the URI times the number of the template's pieces.
 */
export function matchesUriTemplate(template: string, uri: string): boolean {
  if (uri.length > MAX_URI) return false;
  const pieces = piecesOf(template);
  if (pieces.length > MAX_PIECES) return false;
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
        if (isReached && at < uri.length && !piece.test(uri[at]!)) isReached = false;
      }
    }
    if (!next.includes(1)) return false;
    places = next;
  }
  return places[uri.length] === 1;
}

/** Longest URI that is compared (characters). */
const MAX_URI = 2048;
/** Most literals and expressions of a template. */
const MAX_PIECES = 32;

/** Literals, and for each expression the characters that its values may have. */
function piecesOf(template: string): (string | RegExp)[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (EXPRESSION.test(part) ? (VALUES[part[1]!] ?? SIMPLE) : part));
}

const EXPRESSION = /^\{[^{}]*\}$/;
/** Unreserved and encoded characters, what joins several values, and what lies beyond ASCII, which some leave as it is. */
const SIMPLE = /[A-Za-z0-9\-._~%,=]|[^\0-\x7f]/;
const ANY = /[\s\S]/;
const VALUES: Readonly<Record<string, RegExp>> = {
  "+": ANY,
  "#": ANY,
  "/": /[A-Za-z0-9\-._~%,=/]|[^\0-\x7f]/,
  ";": /[A-Za-z0-9\-._~%,=;]|[^\0-\x7f]/,
  "?": /[A-Za-z0-9\-._~%,=?&]|[^\0-\x7f]/,
  "&": /[A-Za-z0-9\-._~%,=?&]|[^\0-\x7f]/,
};
