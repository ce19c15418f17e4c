/** The supported part of JSON Schema; other values are entered as JSON. */
export interface Schema {
  type?: string | readonly string[];
  title?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  $ref?: string;
  $defs?: Readonly<Record<string, Schema>>;
  definitions?: Readonly<Record<string, Schema>>;
}

export type Values = Readonly<Record<string, unknown>>;

export const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Maximum depth, because definitions can be recursive; deeper values are entered as JSON. */
export const MAX_DEPTH = 8;

/** Resolves a reference, and merges `allOf` into one schema. @param root the schema that references point into */
export function resolved(schema: Schema, root: Schema): Schema {
  let found = schema;
  for (let i = 0; found.$ref !== undefined && i < MAX_DEPTH; i++) {
    const [, name = ""] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(found.$ref) ?? [];
    const { $ref: _, ...own } = found;
    found = { ...(root.$defs?.[name] ?? root.definitions?.[name]), ...own };
  }
  if (!found.allOf) return found;
  const { allOf, ...own } = found;
  const parts = allOf.map((one) => resolved(one, root));
  const properties = Object.assign({}, ...parts.map((p) => p.properties), own.properties);
  return {
    ...Object.assign({}, ...parts),
    ...own,
    ...(Object.keys(properties).length > 0 && { properties }),
    required: [own, ...parts].flatMap((p) => p.required ?? []),
  };
}

/** The type without null. */
export const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === "string" ? type : type?.find((t) => t !== "null");

const isNull = (schema: Schema) => schema.type === "null" || schema.const === null;

/** The possible shapes of a value, if there are several; null is expressed by omission. */
export function variantsOf(schema: Schema, root: Schema): Schema[] {
  const all = schema.oneOf ?? schema.anyOf ?? [];
  return all.map((one) => resolved(one, root)).filter((one) => !isNull(one));
}

/** The label of a shape. */
export function nameOf(schema: Schema, index: number): string {
  if (schema.title) return schema.title;
  const [fixed] = Object.values(schema.properties ?? {}).filter((p) => p.const !== undefined);
  if (fixed) return String(fixed.const);
  const names = Object.keys(schema.properties ?? {});
  return names.length > 0 ? names.join(", ") : (typeOf(schema) ?? `variant ${index + 1}`);
}

/** The index of the first shape that matches a value. */
export function variantOf(value: unknown, variants: readonly Schema[]): number {
  const fits = (schema: Schema): boolean => {
    const type = typeOf(schema);
    if (schema.const !== undefined) return schema.const === value;
    if (schema.enum) return schema.enum.includes(value);
    if (isValues(value)) {
      const given = Object.entries(value).every(([name, own]) => {
        const member = schema.properties?.[name];
        return member !== undefined && (member.const === undefined || member.const === own);
      });
      return (type === "object" || schema.properties !== undefined) && given;
    }
    if (Array.isArray(value)) return type === "array";
    return type === (typeof value === "number" && type === "integer" ? "integer" : typeof value);
  };
  return Math.max(0, variants.findIndex(fits));
}

/** The initial values of a form: defaults, and constants. */
export function initial(schema: Schema, root: Schema = schema, depth = 0): Values {
  const required = new Set(schema.required ?? []);
  const values: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(schema.properties ?? {})) {
    const member = resolved(raw, root);
    if (member.default !== undefined && member.default !== null) values[name] = member.default;
    else if (member.const !== undefined && required.has(name)) values[name] = member.const;
    else if (required.has(name) && member.properties && depth < MAX_DEPTH)
      values[name] = initial(member, root, depth + 1);
  }
  return values;
}

/** The initial value of a new list entry or a newly selected shape. */
export function beginning(schema: Schema, root: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  const type = typeOf(schema);
  if (schema.properties || type === "object") return initial(schema, root);
  if (type === "array") return [];
  return type === "boolean" ? false : undefined;
}

/** Paths of missing required members, such as `assignee.login`. */
export function missing(schema: Schema, values: Values, root: Schema = schema, depth = 0): string[] {
  const lacking = (schema.required ?? []).filter((name) => values[name] === undefined || values[name] === "");
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, raw]) => {
    const own = values[name];
    if (depth === MAX_DEPTH || own === undefined) return [];
    const member = resolved(raw, root);
    const variants = variantsOf(member, root);
    const shape = variants.length > 0 ? variants[variantOf(own, variants)] : member;
    const within = (one: unknown, of: Schema | undefined, at: string) =>
      of && isValues(one) ? missing(of, one, root, depth + 1).map((path) => `${at}.${path}`) : [];
    const items = shape?.items && resolved(shape.items, root);
    if (Array.isArray(own)) return own.flatMap((one, i) => within(one, items, `${name} ${i + 1}`));
    return within(own, shape, name);
  });
  return [...lacking, ...below];
}
