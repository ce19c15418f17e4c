import * as v from "valibot";
import { configKeys } from "../../config/config-keys.ts";
import { type SchemaJson, schemaOf } from "./schema.ts";

/** Removes the member that names a type of value for the documentation, because JSON Schema does not define it. */
const plain = (schema: SchemaJson | undefined): SchemaJson =>
  JSON.parse(JSON.stringify(schema ?? {}, (name, value) => (name === "form" ? undefined : value)));

/**
 * Returns a JSON Schema of the configuration file, for editors and forms, without the rules that only code can check.
 */
export function configSchema(): SchemaJson {
  const properties = configKeys().map(({ key, schema, description }) => {
    const own = schemaOf(v.object({ [key]: schema }), "input") as { properties: Record<string, SchemaJson> };
    return [key, { ...plain(own.properties[key]), description }];
  });
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: true };
}
