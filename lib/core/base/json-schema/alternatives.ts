import { isJsonObject } from "../json-object.ts";
import type { Check } from "./check.ts";
import { describeKind, describeTypes } from "./describe.ts";
import type { SchemaProblem, ValidationRun } from "./validation-run.ts";

/** Only so many alternatives (`anyOf`, `oneOf`) are compared to find the one that was meant. */
const MAX_TRIED = 20;

/**
 * Explains why a value matches none of several schemas: with the problems of the closest schema or, if the value has a
 * wrong type for all of them, with the allowed types.
 *
 * @returns always false, so that a check can return it
 */
export function alternatives(
  keyword: "anyOf" | "oneOf",
  schemas: readonly unknown[],
  checks: readonly Check[],
  { value, run, schema }: { value: unknown; run: ValidationRun; schema: unknown },
): false {
  if (run.quiet) return false;
  const here = run.path.length;
  const tried = checks.slice(0, MAX_TRIED).map((check) => run.collect(() => check(value, run)));
  const fitting = tried.filter(
    (problems) => !problems.some(({ path, keyword }) => keyword === "type" && path.length === here),
  );
  const [best] = fitting.sort((a, b) => distance(a) - distance(b));
  if (best && best.length > 0) run.problems.push(...best);
  else if (fitting.length === 0 && schemas.every((one) => isJsonObject(one) && one.type !== undefined)) {
    const types = schemas.flatMap((one) => (one as { type: unknown }).type);
    run.fail("type", `must be ${describeTypes(types)}, not ${describeKind(value)}`, schema);
  } else run.fail(keyword, `matches none of the ${schemas.length} alternatives of ${keyword}`, schema);
  return false;
}

/**
 * Rates how far a value is from matching a schema. A different constant counts most, because constants tell
 * alternatives apart.
 */
function distance(problems: readonly SchemaProblem[]): number {
  const other = problems.filter(({ keyword }) => keyword === "const" || keyword === "enum").length;
  return other * 100 + problems.length;
}
