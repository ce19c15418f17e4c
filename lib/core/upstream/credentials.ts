import type { UpstreamSignIn } from "../schema/upstream-sign-in.ts";
import type { UpstreamAuthorization } from "./authorization.ts";

/**
 * The credentials that connections use, by owner and server. The owner of shared connections is the empty text, which
 * is also the default.
 */
export interface UpstreamCredentials {
  /** Returns the authorization of a connection. `url` is its destination: tokens for another URL are not used. */
  bearer(server: string, url: URL, owner?: string): UpstreamAuthorization;
  /** Returns the state of the sign-in as far as it is in memory; after a start it is read with the first connection. */
  status(server: string, owner?: string): UpstreamSignIn;
  /**
   * True if somebody was signed in, and the token has expired and cannot be renewed. It is so fast that every call may
   * use it.
   */
  isSpent(server: string, owner?: string): boolean;
}

/** Used if no module provides sign-in. */
export const noCredentials: UpstreamCredentials = {
  bearer: () => ({ header: () => undefined, handleRefusal: async () => false, missingScopes: () => undefined }),
  status: () => ({ state: "none", renewable: false }),
  isSpent: () => false,
};
