import type * as v from "valibot";
import { nearestWords } from "../base/nearest.ts";
import { pathText } from "../base/path.ts";

/** The members of the schema library's objects that this file reads. */
interface Shape {
  type: string;
  wrapped?: Shape;
  entries?: Record<string, Shape>;
  item?: Shape;
  value?: Shape;
  options?: readonly Shape[];
}

/** Maximum number of names that a message lists. */
const MAX_LISTED = 30;

/**
 * Finds the first member of a value that its schema does not define, and returns a complete message with the likely
 * correction; undefined if there is none. Any member is accepted where the schema uses `v.looseObject`, `v.record` or
 * `members`.
 *
 * `{ "polcy": {} }` → `polcy: unknown field; known fields: tools, profile, policy, wait_ms; did you mean policy?`
 */
export function unknownField(schema: v.GenericSchema, value: unknown): string | undefined {
  return visit(schema as unknown as Shape, value, []);
}

function visit(schema: Shape, value: unknown, path: readonly (string | number)[]): string | undefined {
  const shape = unwrap(schema);
  if (typeof value !== "object" || value === null) return undefined;
  if (shape.options) return unknownInAll(shape.options, value, path);
  if (Array.isArray(value)) {
    if (shape.type === "array") return first(value.entries(), (item, at) => visit(shape.item!, item, [...path, at]));
    return undefined;
  }
  const members = Object.entries(value);
  if (shape.type === "record") return first(members, (member, key) => visit(shape.value!, member, [...path, key]));
  const { entries } = shape;
  if (!entries) return undefined;
  return first(members, (member, key) => {
    if (Object.hasOwn(entries, key)) return visit(entries[key]!, member, [...path, key]);
    return shape.type === "loose_object" ? undefined : unknown([...path, key], key, Object.keys(entries));
  });
}

/** Accepts a value if one of the alternatives defines all its members. */
function unknownInAll(options: readonly Shape[], value: object, path: readonly (string | number)[]) {
  const found = options.map((option) => visit(option, value, path));
  return found.every((problem) => problem !== undefined) ? found[0] : undefined;
}

function first<K, T>(entries: Iterable<[K, T]>, look: (member: T, key: K) => string | undefined): string | undefined {
  for (const [key, member] of entries) {
    const found = look(member, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unknown(path: readonly (string | number)[], field: string, known: readonly string[]): string {
  const [near] = field.length <= MAX_COMPARED ? nearestWords(field, known, 1) : [];
  const list = known.length <= MAX_LISTED ? `; known fields: ${known.join(", ") || "none"}` : "";
  return `${cut(pathText(path))}: unknown field${list}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/**
 * A longer field name is not compared with the known ones. A path is shortened if it has more than twice this length.
 */
const MAX_COMPARED = 100;
const cut = (text: string) => (text.length <= 2 * MAX_COMPARED ? text : `${text.slice(0, 2 * MAX_COMPARED)}…`);

const unwrap = (shape: Shape): Shape => (shape.wrapped ? unwrap(shape.wrapped) : shape);
