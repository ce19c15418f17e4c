/** One stored browser session. Times are milliseconds since the epoch. */
export interface SignInRow {
  /** SHA-256 of the cookie's secret, in hex. */
  readonly hash: string;
  /** The account: `admin`, with the id of a passkey after a slash if the session began with one. */
  readonly subject: string;
  /** SHA-256 of the credential that was exchanged for the session. If that credential is replaced, the session ends. */
  readonly credential: string;
  readonly createdAt: number;
  /** Time of the last use, accurate to a few minutes. */
  readonly usedAt: number;
  /** The latest time at which the session ends. */
  readonly expiresAt: number;
}
