import type { Check } from "../check.ts";
import type { ValidationRun } from "../validation-run.ts";

/** Checks a member or an item, with its key added to the path of the run. */
export function checkMember(key: string | number, value: unknown, check: Check, run: ValidationRun): boolean {
  run.path.push(key);
  const valid = check(value, run);
  run.path.pop();
  return valid;
}
