import type { Check, KeywordContext } from "../check.ts";

export function minimum(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (typeof given !== "number") return undefined;
  // In draft 4 `exclusiveMinimum` and `exclusiveMaximum` are booleans that modify `minimum` and `maximum`.
  const open = schema.exclusiveMinimum === true;
  return (value, run) =>
    typeof value !== "number" ||
    (open ? value > given : value >= given) ||
    run.fail("minimum", `must be ${open ? "more than" : "at least"} ${given}`, schema);
}

export function maximum(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (typeof given !== "number") return undefined;
  const open = schema.exclusiveMaximum === true;
  return (value, run) =>
    typeof value !== "number" ||
    (open ? value < given : value <= given) ||
    run.fail("maximum", `must be ${open ? "less than" : "at most"} ${given}`, schema);
}

export function exclusiveMinimum(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (typeof given !== "number") return undefined;
  return (value, run) =>
    typeof value !== "number" || value > given || run.fail("exclusiveMinimum", `must be more than ${given}`, schema);
}

export function exclusiveMaximum(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (typeof given !== "number") return undefined;
  return (value, run) =>
    typeof value !== "number" || value < given || run.fail("exclusiveMaximum", `must be less than ${given}`, schema);
}

export function multipleOf(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (typeof given !== "number" || !(given > 0)) return undefined;
  return (value, run) => {
    if (typeof value !== "number") return true;
    const times = value / given;
    // Decimal fractions are not exact in binary: 0.0075 / 0.0001 is not exactly 75.
    const off = Math.abs(times - Math.round(times));
    return (
      !Number.isFinite(times) ||
      off <= 1e-9 * Math.max(1, Math.abs(times)) * (Number.isInteger(given) ? 0 : 1) ||
      run.fail("multipleOf", `must be a multiple of ${given}`, schema)
    );
  };
}
