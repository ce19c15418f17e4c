/** The authorization server of an upstream server, as discovered; stored so that tokens can be renewed. */
export interface Authority {
  /** The upstream server; tokens are sent to no other. */
  server_url: string;
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint?: string;
  registration_endpoint?: string;
  /** Whether every authorization response contains the issuer (RFC 9207). */
  iss_expected?: boolean;
  /** Whether the URL of a client ID metadata document can be the client ID. */
  takes_metadata_url?: true;
  /** The resource for which tokens are requested (RFC 8707). */
  resource: string;
  /** Client authentication methods of the token endpoint. */
  auth_methods?: string[];
  /** Set if no metadata was found and the endpoints were assumed. */
  guessed?: true;
  /** Default scopes, if the configuration names none. */
  scopes?: string[];
}

export type AuthMethod = "none" | "client_secret_basic" | "client_secret_post";

/** The proxy's client registration at an authorization server. */
export interface Client {
  id: string;
  /** The secret of a registered client; that of a configured client is read at each use. */
  secret?: string;
  method: AuthMethod;
  /** Whether the client was registered dynamically, for this redirect URI only. */
  registered: boolean;
  redirect_uri: string;
  /** The registered scope. */
  scope?: string;
  /** Expiry of the secret (ms). */
  expires_at?: number;
}

export interface Tokens {
  access: string;
  refresh?: string;
  obtained_at: number;
  /** Expiry (ms). If absent, the token is used until it is rejected. */
  expires_at?: number;
  scope?: string;
}

/** A sign-in in progress. */
export interface Pending {
  state: string;
  verifier: string;
  correlation_id: string;
  expires_at: number;
  /** Name of the user who began it, for the activity record. */
  by: string;
  authority: Authority;
  client: Client;
  scope?: string;
}

/** The stored credentials of one owner at one server; sealed at rest. */
export interface Credentials {
  authority?: Authority;
  client?: Client;
  tokens?: Tokens;
  pending?: Pending;
  /** Set if the last sign-in with this client was not finished, which the client may have caused. */
  unfinished?: true;
  /** Set when the authorization server rejected the refresh token. */
  ended?: { at: number; reason: string };
  /** Set after a sign-out; no connection is attempted before the next sign-in. */
  signed_out?: true;
  /** Scopes that a rejected request required. */
  needs?: string[];
}

/** Returns the record without one member. */
export function without<K extends keyof Credentials>(record: Credentials, key: K): Credentials {
  const { [key]: _, ...rest } = record;
  return rest;
}
