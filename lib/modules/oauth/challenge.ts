/** What a server says about signing in when it refuses a request: the Bearer challenge of WWW-Authenticate. */
export interface Challenge {
  /** `invalid_token`, `insufficient_scope` (RFC 6750 §3.1). */
  error?: string;
  /** Scopes the request needs, separated by spaces. */
  scope?: string;
  /** Where the server's own metadata is (RFC 9728 §5.1). */
  resourceMetadata?: string;
}

/** More of a header is not read. (characters) */
const MAX_HEADER_CHARACTERS = 4096;
const PART = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;

/** The first Bearer challenge among those of a header; undefined when there is none. */
export function bearerChallenge(header: string | undefined): Challenge | undefined {
  let found: Challenge | undefined;
  for (const [, name = "", quoted, plain] of (header ?? "").slice(0, MAX_HEADER_CHARACTERS).matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) {
      // A word without a value begins the next challenge.
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
