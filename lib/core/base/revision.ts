import { createHmac, randomBytes } from "node:crypto";
import { canonicalJson } from "./canonical.ts";

/** Random for each process, so that nobody can test guessed secrets against a revision. */
const KEY = randomBytes(32);

/** Returns a short keyed hash of a JSON value: equal values have equal revisions, and a revision reveals nothing. */
export function revisionOf(value: unknown): string {
  return createHmac("sha256", KEY).update(canonicalJson(value)).digest("hex").slice(0, 24);
}
