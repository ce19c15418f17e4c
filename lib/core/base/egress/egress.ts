/** The one way out to an address that somebody outside had a say in: a registry, a sign-in server, a list of releases. */
export interface Egress {
  /**
   * Asks for one document. The scheme is http or https; the address is looked up once and checked where the connection
   * is opened, so no second look-up can lead elsewhere; each redirect is checked as the first address was.
   *
   * @throws Fault address_refused for an address inside this machine's networks that the configuration does not name
   * @throws Fault fetch_failed when there is no answer in time, or one that is too large
   */
  fetch(url: string | URL, options: EgressFetchOptions): Promise<EgressResponse>;
}

export interface EgressFetchOptions {
  readonly signal: AbortSignal;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything, redirects included; 15,000 unless told. (ms) */
  readonly timeoutMs?: number;
  /** Largest answer, unpacked; 4 MiB unless told. */
  readonly maxBytes?: number;
  /** How many are followed, 3 unless told; with 0 one is an error. */
  readonly redirects?: number;
  /** Hosts (`host`, `host:port`, `.domain`), addresses and CIDRs that may lie inside, beside those of the configuration. */
  readonly allow?: readonly string[];
}

/** An answer of any status. */
export interface EgressResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Where it came from in the end. */
  readonly url: string;
  readonly text: string;
}
