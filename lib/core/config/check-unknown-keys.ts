import type * as v from "valibot";
import { isJsonObject, setOwnProperty } from "../base/json-object.ts";
import { type Path, pathText } from "../base/path.ts";

/** The result of walking a document along its schema. */
interface UnknownKeys {
  /** The document as it is meant: members that are null, or blank where a blank text means nothing, are left out. */
  meant: unknown;
  /** Paths of keys this program does not know. */
  unknown: string[];
  /** What the schema library would let pass or drop in silence. */
  problems: { path: Path; message: string }[];
}

/** Names that no map may have: careless code reaches prototypes through them, and the schema library drops them. */
const UNUSABLE = new Set(["__proto__", "constructor", "prototype"]);
/** Keys for which an empty text is a value. */
const BLANK_COUNTS = new Set(["listen", "name"]);

/** Walks a document along its schema, before it is checked. */
export function checkUnknownKeys(schema: v.GenericSchema, document: unknown): UnknownKeys {
  const found: UnknownKeys = { meant: undefined, unknown: [], problems: [] };
  found.meant = visit(schema, document, [], found);
  return found;
}

/** The members of the schema library's objects that the walk looks at. */
export interface SchemaShape {
  type: string;
  wrapped?: SchemaShape;
  entries?: Record<string, SchemaShape>;
  item?: SchemaShape;
  value?: SchemaShape;
}

function visit(schema: v.GenericSchema | SchemaShape, value: unknown, path: Path, found: UnknownKeys): unknown {
  const shape = unwrapSchema(schema as SchemaShape);
  if (shape.type === "array" && Array.isArray(value))
    return value.map((item, index) => visit(shape.item!, item, [...path, index], found));
  if (shape.type !== "loose_object" && shape.type !== "record") return value;
  if (!isJsonObject(value) && !Array.isArray(value)) return value;
  if (Array.isArray(value)) {
    found.problems.push({ path, message: "must be an object, not a list" });
    return {};
  }
  const meant = {};
  for (const [key, member] of Object.entries(value)) {
    const at = [...path, key];
    const known = shape.type === "record" ? shape.value! : own(shape.entries!, key);
    if (shape.type === "record" && UNUSABLE.has(key))
      found.problems.push({ path: at, message: "cannot be used as a name" });
    if (!known) {
      if (key !== "$schema") found.unknown.push(pathText(at));
      setOwnProperty(meant, key, member);
    } else if (member !== null && !(member === "" && shape.type !== "record" && isBlankUnset(key, known)))
      setOwnProperty(meant, key, visit(known, member, at, found));
  }
  return meant;
}

/** An empty text is no switch, number, list or object: from an unset variable of a shell it would mean the default. */
const isBlankUnset = (key: string, known: SchemaShape) =>
  !BLANK_COUNTS.has(key) && !NO_TEXT.has(unwrapSchema(known).type);
const NO_TEXT = new Set(["boolean", "number", "array", "record", "loose_object", "strict_object", "object"]);

const own = (entries: Record<string, SchemaShape>, key: string) =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;

export function unwrapSchema(shape: SchemaShape): SchemaShape {
  return shape.wrapped ? unwrapSchema(shape.wrapped) : shape;
}
