import type { Permission } from "./caller.ts";

/** One agent token as it is kept; of its secret only a hash. Times are milliseconds since the epoch. */
export interface TokenRow {
  /** Unlike any other's: a user's own begins with the user's id and a slash, so that names of users do not meet. */
  readonly name: string;
  /** Id of the user whose token it is; nobody's was made by an administrator. */
  readonly owner?: string;
  /** SHA-256 of the secret, in hex: the secret is 256 random bits, so nothing slower is needed. */
  readonly hash: string;
  /** The first characters of the secret, to recognise it by. */
  readonly prefix: string;
  /** Names of servers; `["*"]` for all. */
  readonly servers: readonly string[];
  readonly permissions: readonly Permission[];
  /** The only profile it works in. */
  readonly profile?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt?: number;
}
