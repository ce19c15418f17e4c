import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { ShownConfig } from "../../schema/shown-settings.ts";
import { NAMED_SCHEMAS } from "./named-schemas.ts";

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type SchemaJson = { [name: string]: unknown };

const FORM = {
  target: "draft-2020-12",
  errorMode: "ignore",
  overrideAction: ({ valibotAction, jsonSchema }) =>
    valibotAction.type === "metadata" ? withoutForm(jsonSchema) : undefined,
} as const satisfies ConversionConfig;
/** Removes the name of a type for the documentation, because JSON Schema does not define it. */
function withoutForm({ form: _, ...schema }: JsonSchema & { form?: unknown }): JsonSchema {
  return schema;
}
/** Requests must not have undeclared members (`unknown-fields.ts`). */
const REQUEST = {
  ...FORM,
  typeMode: "input",
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === "object" ? { ...jsonSchema, additionalProperties: false } : undefined,
} as const satisfies ConversionConfig;
const ANSWER = {
  ...FORM,
  typeMode: "output",
  overrideSchema: ({ valibotSchema }) =>
    valibotSchema === ShownConfig ? { $ref: "#/components/schemas/Configuration" } : undefined,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} as const satisfies ConversionConfig;

/**
 * Converts a valibot schema to JSON Schema. Rules that JSON Schema cannot express are only in the descriptions.
 *
 * @param side "input" for requests; "output" for responses, in which named schemas are referenced by name
 */
export function schemaOf(schema: GenericSchema, side: "input" | "output"): SchemaJson {
  const config = side === "input" ? REQUEST : { ...ANSWER, definitions: namesOnly() };
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, config);
  return rest;
}

/**
 * Returns the named schemas for one conversion that refers to them. `toJsonSchema` reads them twice: first to learn
 * their names, then to convert each. The second time the list is empty, because converting all of them for every
 * response would take seconds.
 */
function namesOnly(): typeof NAMED_SCHEMAS {
  let passes = 0;
  return new Proxy(NAMED_SCHEMAS, { ownKeys: () => (passes++ === 0 ? Reflect.ownKeys(NAMED_SCHEMAS) : []) });
}

/** Converts the named schemas. */
export function namedSchemas(): SchemaJson {
  return toJsonSchemaDefs(NAMED_SCHEMAS, ANSWER);
}
