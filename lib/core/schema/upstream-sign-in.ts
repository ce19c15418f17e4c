/** The state of the sign-in of one owner at one server. Contains no secret. */
export interface UpstreamSignIn {
  /**
   * `none`: nobody signed in. `pending`: a person is signing in. `expired`: the token expired or is no longer renewed.
   * `failed`: the last attempt to sign in failed.
   */
  state: "none" | "pending" | "signed_in" | "expired" | "failed" | "signed_out";
  issuer?: string;
  client_id?: string;
  scope?: string;
  /** When the access token was issued (ms). */
  obtainedAt?: number;
  /** When the access token expires (ms). */
  expiresAt?: number;
  /** Whether the proxy renews the token automatically. */
  renewable: boolean;
  /** A sign-in in progress. */
  pending?: { expiresAt: number; correlationId: string };
  /** Why the last attempt failed. */
  failure?: { errorType: string; reason: string; suggestion: string; correlationId: string; at: number };
  /** When the failed renewal of the token is tried again, and why it failed. */
  retry?: { at: number; reason: string };
  /** Why the token is no longer renewed. */
  ended?: string;
  /** Scopes that the server required and the token lacked. */
  needs?: string[];
}
