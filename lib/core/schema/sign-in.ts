/** One browser that is signed in, as it is kept. Times are milliseconds since the epoch. */
export interface SignInRow {
  /** SHA-256 of the cookie's secret, in hex. */
  readonly hash: string;
  /** Who it is: `admin`, or in the multi-user edition the id of a user. */
  readonly subject: string;
  /** SHA-256 of the credential that was exchanged for it; when that is replaced, the sign-in is over. */
  readonly credential: string;
  readonly createdAt: number;
  /** Its last use, to within some minutes. */
  readonly usedAt: number;
  /** When it ends at the latest. */
  readonly expiresAt: number;
}
