import { resolved, type Schema } from "../../parts/form/schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** A value that differs from its default. */
export interface Difference {
  /** The key and the names of the members below it. */
  path: readonly [key: string, ...members: string[]];
  value: unknown;
  /** Undefined if the setting has no default. */
  standard: unknown;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values of some keys that differ from the defaults in the schema; an object is compared member by member. */
export function differences(values: Json, schema: Schema, keys: readonly string[]): Difference[] {
  return keys.flatMap((key) => below([key], values[key], schema.properties?.[key], schema));
}

function below(path: Difference["path"], value: unknown, raw: Schema | undefined, root: Schema): Difference[] {
  if (value === undefined || value === null) return [];
  const schema = raw && resolved(raw, root);
  const members = schema?.properties;
  if (members && isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => below([...path, name], inner, members[name], root));
  const standard = schema?.default;
  const isEmpty = (one: unknown) =>
    one === undefined || (typeof one === "object" && one !== null && Object.keys(one).length === 0);
  if (JSON.stringify(value) === JSON.stringify(standard) || (isEmpty(value) && isEmpty(standard))) return [];
  return [{ path, value, standard }];
}

/** The values without one member, which then has its default. */
export function without(values: Json, [key, ...members]: Difference["path"]): Json {
  const { [key]: inner, ...others } = values;
  const [next, ...rest] = members;
  if (next === undefined || !isObject(inner)) return others;
  return { ...others, [key]: without(inner, [next, ...rest]) };
}
