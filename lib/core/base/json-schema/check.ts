import type { JsonObject } from "../json-object.ts";
import type { ValidationRun } from "./validation-run.ts";

/** Whether a value matches one schema; problems are noted in the run. */
export type Check = (value: unknown, run: ValidationRun) => boolean;

/** What a keyword is made into a check with. */
export interface KeywordContext {
  /** The schema that the keyword stands in. */
  readonly schema: JsonObject;
  /** A check for a schema inside it, compiled when it is first needed. */
  child(schema: unknown): Check;
  /** A check for what a reference leads to; undefined when that is not in this document. */
  reference(reference: string): Check | undefined;
}
