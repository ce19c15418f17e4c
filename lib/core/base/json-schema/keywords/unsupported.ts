import type { Check } from "../check.ts";

/** Returns the check of an unsupported keyword: it assumes that the value is valid. */
export const unsupportedKeyword =
  (keyword: string): Check =>
  (_, run) =>
    run.assume(`${keyword} is not supported`);
