/** Provides the authorization of one upstream connection, for each request anew. */
export interface UpstreamAuthorization {
  /**
   * Returns the Authorization header for the next request; a promise if it must be fetched first, undefined if nobody
   * signed in.
   *
   * @throws SignInMissing if a person must sign in
   * @throws Error if the token could not be renewed now
   */
  header(): string | undefined | Promise<string | undefined>;
  /**
   * Call when the server rejected a request with HTTP 401.
   *
   * @param shown the header that was sent; undefined if there was none
   * @param challenge the server's WWW-Authenticate header
   * @returns true if there is another header to try
   */
  handleRefusal(shown: string | undefined, challenge: string | undefined): Promise<boolean>;
  /**
   * Call when the server rejected a request with HTTP 403. @returns the missing scopes; undefined if the reason is
   * another
   */
  missingScopes(challenge: string | undefined): string | undefined;
}

/** Nobody is signed in, either because a person signed out or because only a person can sign in again. */
export class SignInMissing extends Error {
  override readonly name = "SignInMissing";
}
