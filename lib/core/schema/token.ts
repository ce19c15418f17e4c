import type { Permission } from "./caller.ts";
import type { TokenGrant } from "./token-grant.ts";

/** One stored agent token, with only a hash of its secret. Times are milliseconds since the epoch. */
export interface TokenRow {
  /**
   * Unique. The name of a user's token begins with the user's id and a slash, so tokens of different users never
   * collide.
   */
  readonly name: string;
  /** Id of the user who owns the token; absent for a token that an administrator created. */
  readonly owner?: string;
  /** SHA-256 of the secret, in hex. The secret is 256 random bits, so a slow hash is not needed. */
  readonly hash: string;
  /** The first characters of the secret, so that people can recognise it. */
  readonly prefix: string;
  /** Names of servers; `["*"]` for all. */
  readonly servers: readonly string[];
  readonly permissions: readonly Permission[];
  /** The only profile in which the token is valid. */
  readonly profile?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt?: number;
  /** Set if a client got the token by a sign-in, and renews its secret by itself. */
  readonly clientGrant?: TokenGrant;
}
