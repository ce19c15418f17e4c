import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import type { UpstreamCredentials } from "../../core/upstream/credentials.ts";
import type { AuthorityProblem } from "./check-authority.ts";
import type { FlowName } from "./flow-fault.ts";

/**
 * Sign-in at upstream servers. Credentials are stored by owner and server. The owner of the shared sign-in is the empty
 * text, which is the default.
 */
export interface OAuth extends UpstreamCredentials {
  /** Returns the same as `status`, after reading from disk. */
  load(server: string, owner?: string): Promise<UpstreamSignIn>;
  /**
   * Gets a user's token at a server without a person, where the configuration says how.
   *
   * @returns false if a person has to sign in there
   * @throws NoPersonalToken
   */
  obtain(server: string, owner: string): Promise<boolean>;
  /** Forgets why an owner got no tokens without a person, because the reason may be gone. */
  retryFor(owner: string): void;
  /**
   * Begins a sign-in: discovers the authorization server, registers the proxy as a client if needed, and returns the
   * URL that the user's browser must open. It replaces an earlier sign-in of the same owner and server.
   *
   * @throws Fault metadata_discovery_failed, client_id_required, dcr_failed, oauth_not_supported
   */
  start(server: string, how: StartOptions): Promise<Started>;
  /**
   * Accepts an authorization response, once. It is processed even if the browser disconnects.
   *
   * @param expected the sign-in to which it belongs according to the user; any other is rejected
   * @throws Fault code_flow_failed
   */
  finish(answer: URLSearchParams, expected?: { server: string; owner?: string }): Promise<Finished>;
  /** Deletes the tokens, then revokes them at the authorization server. */
  forget(server: string, signal: AbortSignal, owner?: string): Promise<Forgotten>;
  /**
   * Deletes, and revokes, the tokens that the proxy got for an owner with assertions of the identity provider.
   *
   * @returns the servers for which they were
   */
  forgetObtained(owner: string): Promise<string[]>;
  /**
   * Deletes the credentials that nobody needs any more.
   *
   * @param isGone whether an owner will not come back
   * @returns the number of deleted records
   */
  sweep(isGone: (owner: string) => boolean): Promise<number>;
  /** Reads the metadata of a server's authorization server. @returns undefined if it can be used */
  checkAuthority(server: string): Promise<AuthorityProblem | undefined>;
  /** Opens the URL in this machine's browser. @returns why it could not be opened; undefined if it was */
  openBrowser(url: string): Promise<string | undefined>;
  close(): void;
}

export interface StartOptions {
  readonly owner?: string;
  /** The redirect URI. */
  redirectUri(asked: AskedBack): Promise<string>;
  readonly correlationId: string;
  /** Name of the user who begins it. */
  readonly by: string;
  readonly signal: AbortSignal;
}

export interface AskedBack {
  /** The configured redirect URI. */
  readonly configured: string | undefined;
  /** The redirect URI of the previous sign-in. */
  readonly before: string | undefined;
  /** False for a client that somebody registered by hand, with its redirect URI. */
  readonly registersItself: boolean;
  readonly name: FlowName;
}

export interface Started {
  readonly authUrl: string;
  readonly redirectUri: string;
  readonly expiresAt: number;
  readonly issuer: string;
  /** Resolves when its response arrived, it was replaced, or it timed out. */
  readonly over: Promise<void>;
}

export interface Finished {
  readonly server: string;
  readonly owner: string;
  readonly correlationId: string;
  /** Name of the user who began it. */
  readonly by: string;
}

export interface Forgotten {
  /** Whether a user was signed in. */
  readonly was: boolean;
  readonly revoked: boolean;
}
