import * as v from "valibot";
import { nearestWords } from "../base/nearest.ts";

/** Maximum number of fields that one request may name. */
const MAX_FIELDS = 100;

interface Shape {
  type?: string;
  entries?: Readonly<Record<string, Shape>>;
  wrapped?: Shape;
}

/**
 * Returns the parameter `fields` of a list: the members to which its records are reduced, such as `name,health.level`.
 *
 * @param record schema of one record
 */
export function fieldsParameter(record: v.GenericSchema) {
  const knownPaths = pathsOf(record as Shape);
  return v.optional(
    v.pipe(
      v.string(),
      v.maxLength(4096, "must have at most 4096 characters"),
      v.description(
        "members of each record to return, separated by commas; a dot selects a nested member: `name,health.level`",
      ),
      v.transform((text) => text.split(",").map((path) => path.trim())),
      v.maxLength(MAX_FIELDS, `must name at most ${MAX_FIELDS} fields`),
      v.check(
        (paths) => paths.every((path) => isKnown(path, knownPaths)),
        ({ input }) => complaint(input.find((path) => !isKnown(path, knownPaths)) ?? "", knownPaths),
      ),
    ),
  );
}

/** Returns a record with only those members. */
export function pickFields<T extends object>(record: T, paths: readonly string[] | undefined): T {
  if (!paths) return record;
  const cut: Record<string, unknown> = {};
  for (const path of paths) copy(record as Record<string, unknown>, cut, path.split("."));
  // The type is not accurate: the record lacks members that the client did not name.
  return cut as T;
}

function copy(
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  [name = "", ...rest]: readonly string[],
): void {
  if (!Object.hasOwn(from, name)) return;
  const value = from[name];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (rest.length === 0 || !isObject) {
    if (rest.length === 0) to[name] = value;
    return;
  }
  if (!Object.hasOwn(to, name)) to[name] = {};
  // If the whole member was copied already, it contains these parts.
  if (to[name] !== value) copy(value as Record<string, unknown>, to[name] as Record<string, unknown>, rest);
}

/** Lists the paths of a record's members. A path that ends in `.` allows any name below it. */
function pathsOf(shape: Shape, before = ""): string[] {
  const inner = shape.wrapped ?? shape;
  if (inner.wrapped) return pathsOf(inner, before);
  if (inner.type === "record" || inner.type === "loose_object") return [before];
  return Object.entries(inner.entries ?? {}).flatMap(([name, member]) => {
    const path = before + name;
    return [path, ...pathsOf(member, `${path}.`)];
  });
}

function isKnown(path: string, known: readonly string[]): boolean {
  return known.includes(path) || known.some((k) => k.endsWith(".") && path.startsWith(k) && path.length > k.length);
}

function complaint(path: string, knownPaths: readonly string[]): string {
  const shortPath = path.slice(0, 64);
  const names = knownPaths.filter((k) => !k.endsWith("."));
  const [meant] = nearestWords(shortPath, names, 1);
  const remedy =
    meant === undefined
      ? `known fields: ${names.filter((k) => !k.includes(".")).join(", ")}`
      : `did you mean "${meant}"?`;
  return `unknown field "${shortPath}"; ${remedy}`;
}
