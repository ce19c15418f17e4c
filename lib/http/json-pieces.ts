/** Deepest object whose members are written one by one: the envelope, its data, and one object within. */
const DEPTH = 3;

/**
 * Writes a value as `JSON.stringify` does, a piece at a time, so that whoever walks the pieces can give way to others
 * between them: the entries of long lists are pieces of their own.
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
  } else yield JSON.stringify(value) ?? "null";
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const made = Object.getPrototypeOf(value);
  return made === Object.prototype || made === null;
}
