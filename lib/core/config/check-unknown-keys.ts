import type * as v from "valibot";
import { isJsonObject, setOwnProperty } from "../base/json-object.ts";
import { type Path, pathText } from "../base/path.ts";

/** What checking a document for unknown keys found. */
interface UnknownKeys {
  /**
   * The document without the members that mean "not set": those that are null, and blank texts where a blank text has
   * no meaning.
   */
  meant: unknown;
  /** Paths of unknown keys. */
  unknown: string[];
  /** Errors that the schema library would silently accept or drop. */
  problems: { path: Path; message: string }[];
}

/** Keys that no map may have: with them careless code would change prototypes, and the schema library drops them. */
const UNUSABLE = new Set(["__proto__", "constructor", "prototype"]);
/** Keys for which an empty text is a valid value. */
const BLANK_COUNTS = new Set(["listen", "name"]);

/** Compares a document with its schema before the schema library checks it. */
export function checkUnknownKeys(schema: v.GenericSchema, document: unknown): UnknownKeys {
  const found: UnknownKeys = { meant: undefined, unknown: [], problems: [] };
  found.meant = visit(schema, document, [], found);
  return found;
}

/** The members of the schema library's objects that this file reads. */
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
  const knownPart = {};
  for (const [key, member] of Object.entries(value)) {
    const at = [...path, key];
    const known = shape.type === "record" ? shape.value! : ownEntry(shape.entries!, key);
    if (shape.type === "record" && UNUSABLE.has(key))
      found.problems.push({ path: at, message: "cannot be used as a name" });
    if (!known) {
      if (key !== "$schema") found.unknown.push(pathText(at));
      setOwnProperty(knownPart, key, member);
    } else if (member !== null && !(member === "" && shape.type !== "record" && isBlankUnset(key, known)))
      setOwnProperty(knownPart, key, visit(known, member, at, found));
  }
  return knownPart;
}

/**
 * True if an empty text means that the key is not set. For a switch, number, list or object an empty text is an error:
 * it
 * often comes from an unset shell variable and must not silently mean the default.
 */
const isBlankUnset = (key: string, known: SchemaShape) =>
  !BLANK_COUNTS.has(key) && !NO_TEXT.has(unwrapSchema(known).type);
const NO_TEXT = new Set(["boolean", "number", "array", "record", "loose_object", "strict_object", "object"]);

const ownEntry = (entries: Record<string, SchemaShape>, key: string) =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;

/** Removes the wrappers of a schema, such as `optional` and `nullable`. */
export function unwrapSchema(shape: SchemaShape): SchemaShape {
  return shape.wrapped ? unwrapSchema(shape.wrapped) : shape;
}
