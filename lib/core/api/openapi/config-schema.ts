import * as v from "valibot";
import { configKeys } from "../../config/config-keys.ts";
import { type SchemaJson, schemaOf } from "./schema.ts";

/** Without the words that name a kind of value in the documentation: JSON Schema knows no such member. */
const plain = (schema: SchemaJson | undefined): SchemaJson =>
  JSON.parse(JSON.stringify(schema ?? {}, (name, value) => (name === "form" ? undefined : value)));

/** The configuration file as a JSON Schema, for editors and forms; what only a check can say is left out. */
export function configSchema(): SchemaJson {
  const properties = configKeys().map(({ key, schema, description }) => {
    const own = schemaOf(v.object({ [key]: schema }), "input") as { properties: Record<string, SchemaJson> };
    return [key, { ...plain(own.properties[key]), description }];
  });
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: true };
}
