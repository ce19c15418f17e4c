import * as v from "valibot";
import { configKeys } from "../../config/config-keys.ts";
import { type SchemaJson, schemaOf } from "./schema.ts";

/**
 * Returns a JSON Schema of the configuration file, for editors and forms, without the rules that only code can check.
 */
export function configSchema(): SchemaJson {
  const properties = configKeys().map(({ key, schema, description }) => {
    const own = schemaOf(v.object({ [key]: schema }), "input") as { properties: Record<string, SchemaJson> };
    return [key, { ...own.properties[key], description }];
  });
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: true };
}

/**
 * Returns the JSON Schema that editors use for `mcp_config.json`. It marks unknown keys, which the proxy reports and
 * keeps.
 *
 * Draft 7, because editors support it best; `configSchema` uses no keyword in which the drafts differ.
 */
export function configFileSchema(): SchemaJson {
  const { properties, ...rest } = closed(configSchema()) as { properties: Readonly<Record<string, SchemaJson>> };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of proxy (mcp_config.json)",
    ...rest,
    properties: {
      $schema: { type: "string", description: "the schema of this file, for editors; the proxy ignores it" },
      ...properties,
    },
  };
}

/** Allows no other members in objects whose members are known. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const { properties } = members;
  const known = typeof properties === "object" && properties !== null && Object.keys(properties).length > 0;
  return known && members.type === "object" ? { ...members, additionalProperties: false } : members;
}
