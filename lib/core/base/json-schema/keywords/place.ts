import type { Check } from "../check.ts";
import type { Run } from "../run.ts";

/** Checks a member or item in its place. */
export function at(key: string | number, value: unknown, check: Check, run: Run): boolean {
  run.path.push(key);
  const valid = check(value, run);
  run.path.pop();
  return valid;
}
