import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import type { UpstreamCredentials } from "../../core/upstream/credentials.ts";
import type { FlowName } from "./flow-fault.ts";

/**
 * Sign-in at upstream servers. Everything is kept by owner and server; the owner of what everybody shares is the empty
 * text, which is meant where none is given.
 */
export interface OAuth extends UpstreamCredentials {
  /** The same as `status`, read from the disk first. */
  load(server: string, owner?: string): Promise<UpstreamSignIn>;
  /**
   * Begins a sign-in: finds out where, registers this program when needed, and answers the address a person's browser
   * must open. One begun before for the same owner and server is void from then on.
   *
   * @throws Fault metadata_discovery_failed, client_id_required, dcr_failed, oauth_not_supported
   */
  start(server: string, how: StartOptions): Promise<Started>;
  /**
   * Takes what a browser came back with, once; it is finished whether or not that browser waits for it.
   *
   * @param expected what a person says it is for; anything else is refused
   * @throws Fault code_flow_failed
   */
  finish(answer: URLSearchParams, expected?: { server: string; owner?: string }): Promise<Finished>;
  /** Forgets the tokens, then asks the server that gave them to end them. */
  forget(server: string, signal: AbortSignal, owner?: string): Promise<Forgotten>;
  /** Opens the address in this machine's browser. @returns why not; undefined when it was opened */
  openBrowser(url: string): Promise<string | undefined>;
  close(): void;
}

export interface StartOptions {
  readonly owner?: string;
  /** Where the browser is to come back to. */
  redirectUri(asked: AskedBack): Promise<string>;
  readonly correlationId: string;
  /** Name of whoever begins it. */
  readonly by: string;
  readonly signal: AbortSignal;
}

export interface AskedBack {
  /** As the configuration says. */
  readonly configured: string | undefined;
  /** Of the sign-in before. */
  readonly before: string | undefined;
  readonly name: FlowName;
}

export interface Started {
  readonly authUrl: string;
  readonly redirectUri: string;
  readonly expiresAt: number;
  readonly issuer: string;
  /** Resolves when its answer came, it was replaced, or its time is over. */
  readonly over: Promise<void>;
}

export interface Finished {
  readonly server: string;
  readonly owner: string;
  readonly correlationId: string;
  /** Who began it. */
  readonly by: string;
}

export interface Forgotten {
  /** Whether anybody was signed in. */
  readonly was: boolean;
  readonly revoked: boolean;
}
