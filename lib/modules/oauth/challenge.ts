/** A server's Bearer challenge in `WWW-Authenticate`. */
export interface Challenge {
  /** `invalid_token`, `insufficient_scope` (RFC 6750 §3.1). */
  error?: string;
  /** Required scopes, separated by spaces. */
  scope?: string;
  /** URL of the server's own metadata (RFC 9728 §5.1). */
  resourceMetadata?: string;
}

/** Longest part of the header that is parsed (characters). */
const MAX_HEADER_CHARACTERS = 4096;
const PART = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;

/** Parses the first Bearer challenge of a header; undefined if there is none. */
export function bearerChallenge(header: string | undefined): Challenge | undefined {
  let found: Challenge | undefined;
  for (const [, name = "", quoted, plain] of (header ?? "").slice(0, MAX_HEADER_CHARACTERS).matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) {
      // A word without a value starts the next challenge.
      if (found) return found;
      if (name.toLowerCase() === "bearer") found = {};
    } else if (found && value !== "") {
      const key = name.toLowerCase();
      if (key === "error") found.error = value;
      else if (key === "scope") found.scope = value;
      else if (key === "resource_metadata") found.resourceMetadata = value;
    }
  }
  return found;
}
