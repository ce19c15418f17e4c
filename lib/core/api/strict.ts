import * as v from "valibot";
import { plainIssueText } from "../schema/issue.ts";

/** An object with only these members; an error names unknown ones. */
export function strictMembers<const E extends v.ObjectEntries>(entries: E) {
  const known = Object.keys(entries).join(", ");
  return v.strictObject(entries, (issue) =>
    issue.expected === "never" ? `unknown field; known fields: ${known}` : plainIssueText(issue),
  );
}

/** An integer within these limits; a number outside is rejected, not clamped. */
export function wholeNumber(min: number, max: number) {
  const wanted = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.number(), v.integer(wanted), v.minValue(min, wanted), v.maxValue(max, wanted));
}

/** An optional boolean. */
export function flag(description: string) {
  return v.optional(v.pipe(v.boolean(), v.description(description)), false);
}
