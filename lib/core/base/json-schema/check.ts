import type { JsonObject } from "../json-object.ts";
import type { ValidationRun } from "./validation-run.ts";

/** Checks whether a value matches one schema. Problems are recorded in `run`. */
export type Check = (value: unknown, run: ValidationRun) => boolean;

/** What the compiler of a keyword may use. */
export interface KeywordContext {
  /** The schema that contains the keyword. */
  readonly schema: JsonObject;
  /** Returns a check for a subschema. The subschema is compiled when the check runs for the first time. */
  child(schema: unknown): Check;
  /** Returns a check for the target of a reference; undefined if the target is not in this document. */
  reference(reference: string): Check | undefined;
}
