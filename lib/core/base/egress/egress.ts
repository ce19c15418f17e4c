import type { CertificateFault } from "./certificate-fault.ts";

/**
 * Sends requests to URLs that come from outside (a registry, a sign-in server, a list of releases). No other code of the
 * proxy may do so.
 */
export interface Egress {
  /**
   * Fetches one document over http or https. The host is resolved once and its address is checked when the connection
   * is opened, so a second resolution cannot lead elsewhere. The target of each redirect is checked in the same way.
   *
   * @throws Fault address_refused for an internal address that the configuration does not allow
   * @throws Fault fetch_failed if there is no response in time, or the response is too large
   */
  fetch(url: string | URL, options: EgressFetchOptions): Promise<EgressResponse>;
}

/** The client of an App. */
export interface AppEgress extends Egress {
  /** Returns a client that keeps its connection open between requests, for somebody who sends often to one origin. */
  keepingOpen(): KeepingEgress;
}

export interface KeepingEgress extends Egress {
  /** Closes the connection. Later requests open one each. */
  close(): Promise<void>;
}

export interface EgressFetchOptions {
  readonly signal: AbortSignal;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The time limit, redirects included; 15,000 by default. (ms) */
  readonly timeoutMs?: number;
  /** Largest response after decompression; 4 MiB by default. (bytes) */
  readonly maxBytes?: number;
  /** How many redirects are followed, 3 by default; with 0 a redirect is an error. */
  readonly redirects?: number;
  /** Internal hosts (`host`, `host:port`, `.domain`), addresses and CIDRs allowed besides the configured ones. */
  readonly allow?: readonly string[];
  /** Whether the response is a binary file: it is returned as `bytes`, and `text` is empty. */
  readonly binary?: boolean;
}

/** Why a document could not be fetched, where code after it decides by the reason. */
export type FetchFailure = "too_large" | CertificateFault;

/** A response with any status. */
export interface EgressResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The URL after redirects. */
  readonly url: string;
  readonly text: string;
  /** The body, if the request asked for a binary file. */
  readonly bytes?: Uint8Array;
}
