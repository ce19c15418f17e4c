/** What one upstream connection shows at its server's door, asked anew for each request. */
export interface UpstreamAuthorization {
  /**
   * The Authorization header to send now; a promise while it must be fetched first, undefined where nobody signed in.
   *
   * @throws SignInMissing only a person can help
   * @throws Error it could not be renewed just now
   */
  header(): string | undefined | Promise<string | undefined>;
  /**
   * The server refused what was shown, or that nothing was (HTTP 401).
   *
   * @param challenge its WWW-Authenticate
   * @returns whether there is another header to try with
   */
  handleRefusal(shown: string | undefined, challenge: string | undefined): Promise<boolean>;
  /** The server asks for more than was granted (HTTP 403). @returns the scopes it names; undefined when it is not that */
  missingScopes(challenge: string | undefined): string | undefined;
}

/** Nobody is signed in, and that was meant or cannot be mended by itself. */
export class SignInMissing extends Error {
  override readonly name = "SignInMissing";
}
