import type * as v from "valibot";
import { pathText } from "../base/path.ts";

/** Formats the first validation issue of a value, with its path: `tools[0].id: must be a string, not a number`. */
export function issueText(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const [first] = issues;
  const at = issuePlace(first);
  return at ? `${at}: ${first.message}` : first.message;
}

/** Returns the keys and indexes that lead to the invalid value. */
export const issuePath = (issue: v.BaseIssue<unknown>): (string | number)[] =>
  (issue.path ?? []).map((step) => (step as { key: unknown }).key as string | number);

/** Returns the path of the invalid value as text, such as `tools[0].id`; empty for the value as a whole. */
const issuePlace = (issue: v.BaseIssue<unknown>): string => pathText(issuePath(issue));

/**
 * Formats one issue in plain English. It replaces the messages of the schema library, which quote the value, which may
 * be a secret, and use terms such as picklist.
 */
export function plainIssueText(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== "schema") return limitText(issue) ?? issue.message;
  if (issue.input === undefined) return "is required";
  const words = wordsOf(issue);
  if (words !== undefined) return `must be ${words}`;
  const expected = WANTED[issue.type] ?? issue.expected?.toLowerCase() ?? issue.type;
  return `must be ${expected}, not ${valueKind(issue.input)}`;
}

/** Lists the values that a picklist or a literal accepts; the library has them as `("a" | "b")`. */
function wordsOf({ type, expected }: v.BaseIssue<unknown>): string | undefined {
  if ((type !== "picklist" && type !== "literal" && type !== "enum") || !expected) return undefined;
  const words = expected.replace(/^\((.*)\)$/, "$1").split(" | ");
  return words.length === 1 ? words[0] : `one of ${words.map((word) => word.replace(/^"(.*)"$/, "$1")).join(", ")}`;
}

/** Words the requirement of a check of the schema library; checks of the proxy have their own messages. */
function limitText({ type, requirement, input }: v.BaseIssue<unknown>): string | undefined {
  const counted = typeof input === "string" ? "characters" : "entries";
  switch (type) {
    case "integer":
      return "must be a whole number";
    case "min_value":
      return `must be at least ${requirement}`;
    case "max_value":
      return `must be at most ${requirement}`;
    case "min_length":
      return requirement === 1 ? "must not be empty" : `must have at least ${requirement} ${counted}`;
    case "max_length":
      return `must have at most ${requirement} ${counted}`;
    default:
      return undefined;
  }
}

const WANTED: Record<string, string> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  record: "an object",
  object: "an object",
  loose_object: "an object",
  strict_object: "an object",
};

/** Returns the kind of a JSON value for messages, such as `a list`. */
export function valueKind(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
