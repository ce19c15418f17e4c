/** One user as the identity provider described them at the last sign-in. Times are in milliseconds. */
export interface UserRow {
  readonly id: string;
  /** Issuer and subject together identify the account, because an e-mail address can pass to another person. */
  readonly issuer: string;
  readonly subject: string;
  /** In lower case, as far as its letters are ASCII. */
  readonly email: string;
  readonly displayName?: string;
  readonly groups: readonly string[];
  /**
   * Whether the address was that of an administrator, and verified, at the last sign-in. If it was not, a later edit of
   * the list of administrators has no effect before the next sign-in.
   */
  readonly admin: boolean;
  /** Servers that the user has disabled for themselves. */
  readonly off: readonly string[];
  readonly createdAt: number;
  readonly signedInAt: number;
  /** Browser sessions and bearer tokens that began before this moment are void. */
  readonly bearersAfter: number;
  readonly disabledAt?: number;
}

/** One browser in which a user is signed in. */
export interface UserSessionRow {
  readonly id: string;
  /** SHA-256 of the cookie's secret, in hex. */
  readonly hash: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly userAgent?: string;
  readonly clientIp?: string;
}
