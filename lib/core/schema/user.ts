/** One person as known from the identity provider; groups and role are those of the last sign-in. Times are milliseconds. */
export interface UserRow {
  readonly id: string;
  /** Issuer and subject together are the account; addresses change hands. */
  readonly issuer: string;
  readonly subject: string;
  /** With ASCII letters in lower case. */
  readonly email: string;
  readonly displayName?: string;
  readonly groups: readonly string[];
  /** Whether the address was an administrator's, and verified, at the last sign-in; without it no later edit of the list makes it one. */
  readonly admin: boolean;
  /** Servers this person has switched off for themselves. */
  readonly off: readonly string[];
  readonly createdAt: number;
  readonly signedInAt: number;
  /** Bearer tokens issued before this moment are void. */
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
