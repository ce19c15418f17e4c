/** How one owner's sign-in at one server stands. Holds no secret. */
export interface UpstreamSignIn {
  /**
   * `none`: nobody signed in. `pending`: a person is at it. `expired`: the token ended, or is not renewed any more.
   * `failed`: the last attempt to sign in did.
   */
  state: "none" | "pending" | "signed_in" | "expired" | "failed" | "signed_out";
  issuer?: string;
  client_id?: string;
  scope?: string;
  /** When the access token was given (ms). */
  obtainedAt?: number;
  /** When the access token ends (ms). */
  expiresAt?: number;
  /** It is renewed by itself. */
  renewable: boolean;
  /** A sign-in under way. */
  pending?: { expiresAt: number; correlationId: string };
  /** Why the last attempt failed. */
  failure?: { errorType: string; reason: string; suggestion: string; correlationId: string; at: number };
  /** The last renewal failed and is tried again. */
  retry?: { at: number; reason: string };
  /** Why it is not renewed any more. */
  ended?: string;
  /** Scopes that a request lacked. */
  needs?: string[];
}
