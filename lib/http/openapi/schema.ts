import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type Json = { [name: string]: unknown };

/**
 * A valibot schema as the reference shows it. What JSON Schema cannot say (own checks) is left to the descriptions.
 *
 * @param side "input" for what is sent to us, "output" for what is answered
 */
export function schemaOf(schema: GenericSchema, side: "input" | "output"): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: side,
    errorMode: "ignore",
  });
  return rest;
}
