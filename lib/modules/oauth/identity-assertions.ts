import { part } from "../../core/app.ts";

/** What an assertion is for: a server of the configuration and its authorization server. */
export interface AssertionTarget {
  /** The server's name, for messages. */
  readonly server: string;
  /** The issuer of its authorization server. */
  readonly audience: string;
  /** The server's resource identifier (RFC 8707). */
  readonly resource: string;
  readonly scope: string | undefined;
}

/**
 * Assertions of the company's identity provider about people (ID-JAG), with which the proxy gets their tokens at
 * servers (draft-ietf-oauth-identity-assertion-authz-grant).
 */
interface IdentityAssertions {
  /**
   * Requests an assertion about a user.
   *
   * @param owner id of the user; empty for an administrator, so that the proxy can list the server's tools
   * @throws NoPersonalToken
   */
  request(owner: string, target: AssertionTarget, signal: AbortSignal): Promise<string>;
}

/** Nobody's identity is known unless a module knows people. */
export const identityAssertions = part<IdentityAssertions>("identityAssertions", () => ({
  request: () => Promise.reject(new Error("auth_broker.mode id_jag needs the multi-user edition")),
}));

/**
 * Why the proxy got no token for a person. `proxy_sign_in_needed`: the person must sign in to the proxy again.
 * `server_access_denied`: the identity provider or the authorization server refuses; an administrator must change
 * something. `server_access_unavailable`: one of them could not be reached.
 */
const NO_TOKEN_CODES = ["proxy_sign_in_needed", "server_access_denied", "server_access_unavailable"] as const;
type NoTokenCode = (typeof NO_TOKEN_CODES)[number];

/** Returns the code if a failed sign-in was one without a person. */
export const noTokenCode = (errorType: string | undefined): NoTokenCode | undefined =>
  NO_TOKEN_CODES.find((code) => code === errorType);

/** The proxy got no token for a person. The texts contain no secret. */
export class NoPersonalToken extends Error {
  override readonly name = "NoPersonalToken";
  readonly code: NoTokenCode;
  readonly reason: string;
  readonly remedy: string;

  constructor(code: NoTokenCode, reason: string, remedy: string, options?: ErrorOptions) {
    super(`${reason}; ${remedy}`, options);
    this.code = code;
    this.reason = reason;
    this.remedy = remedy;
  }
}
