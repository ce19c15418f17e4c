import type { UpstreamSignIn } from "../schema/upstream-sign-in.ts";
import type { UpstreamAuthorization } from "./authorization.ts";

/**
 * What connections show at their servers. It is kept by owner and server; the owner of what everybody shares is the
 * empty text, which is meant where none is given.
 */
export interface UpstreamCredentials {
  /** What a connection shows. `url` is where it connects to: tokens of another address are not shown. */
  bearer(server: string, url: URL, owner?: string): UpstreamAuthorization;
  /** What is known in memory; after a start that is nothing before the first connection. */
  status(server: string, owner?: string): UpstreamSignIn;
  /** Whether somebody was signed in whose token has ended, with nothing to renew it. Cheap enough for every call. */
  isSpent(server: string, owner?: string): boolean;
}

/** Nobody signs in anywhere. */
export const noCredentials: UpstreamCredentials = {
  bearer: () => ({ header: () => undefined, handleRefusal: async () => false, missingScopes: () => undefined }),
  status: () => ({ state: "none", renewable: false }),
  isSpent: () => false,
};
