import { nearestWords } from "../base/nearest.ts";
import { type SchemaShape, unwrapSchema } from "./check-unknown-keys.ts";
import { configDocument, configKeys } from "./config-keys.ts";

/** Returns the message about an unknown key. It says that the key is kept, and which known key may be meant. */
export function unknownKey(field: string): { field: string; message: string } {
  const near = nearestKey(field);
  return { field, message: `is unknown and is kept unchanged${near === undefined ? "" : `; did you mean ${near}?`}` };
}

/**
 * Returns the known key that is probably meant by an unknown path such as `logging.levle`; undefined if none is
 * similar.
 */
export function nearestKey(field: string): string | undefined {
  const at = field.lastIndexOf(".");
  if (at < 0)
    return nearestWords(
      field,
      configKeys().map(({ key }) => key),
      1,
    )[0];
  const parent = field.slice(0, at);
  const [near] = nearestWords(field.slice(at + 1), Object.keys(entriesAt(parent)), 1);
  return near === undefined ? undefined : `${parent}.${near}`;
}

/** Returns the members that the schema defines at a path. */
function entriesAt(path: string): Record<string, unknown> {
  let shape: SchemaShape | undefined = inner(configDocument() as unknown as SchemaShape);
  for (const step of path.split(/[.[]/).filter((part) => !part.endsWith("]"))) {
    const next: SchemaShape | undefined = shape?.entries?.[step] ?? shape?.value;
    shape = next && inner(next);
  }
  return shape?.entries ?? {};
}

/** Unwraps a schema; for a list it returns the schema of its entries. */
function inner(shape: SchemaShape): SchemaShape {
  const { item, ...rest } = unwrapSchema(shape);
  return item ? inner(item) : rest;
}
