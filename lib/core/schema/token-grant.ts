/**
 * The permission that a person gave to a client when the client signed in at the proxy. The client's access tokens are
 * the secrets of one agent token; each is valid for a short time, and the client replaces it with its refresh token.
 * Times are milliseconds since the epoch.
 */
export interface TokenGrant {
  readonly id: string;
  readonly client: GrantClient;
  /** When the current secret of the token expires. */
  readonly secretUntil: number;
  /** Hashes of earlier secrets that are still valid, so that a renewal ends no request. */
  readonly older: readonly { readonly hash: string; readonly until: number }[];
  /** What the authorization server needs to renew the secret. It contains no secret. */
  readonly state: unknown;
}

/** The client that signed in. */
export interface GrantClient {
  readonly id: string;
  /** The name that the client states. */
  readonly name: string;
  /** The host that proves the identity of the client; absent if nothing does. */
  readonly host?: string;
}
