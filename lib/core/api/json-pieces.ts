/** Deepest object whose members are written one by one: the tools of a server in a lock document, which is `data.lock`. */
const DEPTH = 6;
/** A longer text is written in pieces of so many characters. */
const PIECE = 64 * 1024;

/**
 * Writes a value as `JSON.stringify` does, a piece at a time, so that whoever walks the pieces can give way to others
 * between them: the entries of long lists are pieces of their own, and long texts are cut into pieces.
 *
 * @param value plain data; a member that is undefined is left out
 */
export function* jsonPieces(value: unknown, depth = DEPTH): Generator<string> {
  if (Array.isArray(value)) {
    let before = "[";
    for (const entry of value) {
      yield before + (JSON.stringify(entry) ?? "null");
      before = ",";
    }
    yield value.length === 0 ? "[]" : "]";
  } else if (depth > 0 && isPlain(value)) {
    let before = "{";
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonPieces(member, depth - 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else if (typeof value === "string" && value.length > PIECE) yield* textPieces(value);
  else yield JSON.stringify(value) ?? "null";
}

function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PIECE);
    // The two halves of a character stay together: alone each would be written as an escape.
    if (/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1))) end++;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const made = Object.getPrototypeOf(value);
  return made === Object.prototype || made === null;
}
