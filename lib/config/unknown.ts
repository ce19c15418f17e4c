import { nearest } from "../base/nearest.ts";
import { CONFIG_KEYS } from "./schema.ts";

/** What is said of a key that means nothing here: that it is kept, and which one may be meant. */
export function unknownKey(field: string): { field: string; message: string } {
  const known = CONFIG_KEYS.map(({ key }) => key);
  const [near] = nearest(field, known, 1);
  return { field, message: `is not known and is kept as it is${near === undefined ? "" : `; did you mean ${near}?`}` };
}
