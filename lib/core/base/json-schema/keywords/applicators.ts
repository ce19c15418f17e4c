import { alternatives } from "../alternatives.ts";
import type { Check, KeywordContext } from "../check.ts";

export function reference(given: unknown, { reference }: KeywordContext): Check | undefined {
  if (typeof given !== "string") return undefined;
  const check = reference(given);
  return check ?? ((_, run) => run.assume(`$ref ${JSON.stringify(given.slice(0, 100))} leads out of the schema`));
}

export function allOf(given: unknown, { child }: KeywordContext): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const checks = given.map(child);
  return (value, run) => {
    let valid = true;
    for (const check of checks) if (!check(value, run)) valid = false;
    return valid;
  };
}

export function anyOf(given: unknown, { schema, child }: KeywordContext): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const checks = given.map(child);
  return (value, run) =>
    checks.some((check) => run.evaluate(() => check(value, run)).valid) ||
    alternatives("anyOf", given, checks, { value, run, schema });
}

export function oneOf(given: unknown, { schema, child }: KeywordContext): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const checks = given.map(child);
  return (value, run) => {
    const answers = checks.map((check) => run.evaluate(() => check(value, run)));
    const matches = answers.filter(({ valid }) => valid);
    if (matches.length === 1) return true;
    if (matches.length === 0) return alternatives("oneOf", given, checks, { value, run, schema });
    return (
      matches.some(({ unsure }) => unsure) ||
      run.fail("oneOf", `matches ${matches.length} of the alternatives of oneOf, where exactly one is allowed`, schema)
    );
  };
}

export function not(given: unknown, { schema, child }: KeywordContext): Check {
  const check = child(given);
  return (value, run) => {
    const { valid, unsure } = run.evaluate(() => check(value, run));
    return !valid || unsure || run.fail("not", "must not match what `not` describes", schema);
  };
}

export function condition(given: unknown, { schema, child }: KeywordContext): Check {
  const [check, yes, no] = [child(given), child(schema.then), child(schema.else)];
  return (value, run) => {
    const { valid, unsure } = run.evaluate(() => check(value, run));
    if (unsure) return true;
    return valid ? yes(value, run) : no(value, run);
  };
}
