import * as v from "valibot";
import { plainIssueText } from "../schema/issue.ts";

/** An object with these members and no others; a mistyped one is named. */
export function strictMembers<const E extends v.ObjectEntries>(entries: E) {
  const known = Object.keys(entries).join(", ");
  return v.strictObject(entries, (issue) =>
    issue.expected === "never" ? `unknown field; known fields: ${known}` : plainIssueText(issue),
  );
}

/** A JSON number that is whole and within these ends; nothing is clamped. */
export function wholeNumber(min: number, max: number) {
  const wanted = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.number(), v.integer(wanted), v.minValue(min, wanted), v.maxValue(max, wanted));
}

/** A switch that may be left out. */
export function flag(description: string) {
  return v.optional(v.pipe(v.boolean(), v.description(description)), false);
}
