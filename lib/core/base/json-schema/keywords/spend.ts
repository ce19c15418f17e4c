import type { JsonObject } from "../../json-object.ts";
import type { ValidationRun } from "../validation-run.ts";

/** Charges the run for work that is proportional to the size of a value. */
export function spendForValue(value: unknown, run: ValidationRun): void {
  if (typeof value === "string") run.spend(1 + value.length / CHARACTERS_PER_STEP);
  else if (typeof value !== "object" || value === null) run.spend(1);
  else for (const key in value) spendForValue((value as JsonObject)[key], run);
}

/** Number of characters that are visited in about the time of one step. */
export const CHARACTERS_PER_STEP = 20;
