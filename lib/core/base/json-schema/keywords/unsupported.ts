import type { Check } from "../check.ts";

/** What a keyword that is not supported says: nothing is known, and the value is taken as valid. */
export const unsupportedKeyword =
  (keyword: string): Check =>
  (_, run) =>
    run.assume(`${keyword} is not supported`);
