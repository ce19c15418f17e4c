import { createHmac, randomBytes } from "node:crypto";
import { canonicalJson } from "./canonical.ts";

/** Of this process alone, so that nobody can try out secrets against a revision. */
const KEY = randomBytes(32);

/** A short mark of a JSON value: equal values have equal ones, and nothing can be read from it. */
export function revisionOf(value: unknown): string {
  return createHmac("sha256", KEY).update(canonicalJson(value)).digest("hex").slice(0, 24);
}
