/** Who may let somebody in to a server, and where: what discovery found, kept so that tokens can be renewed. */
export interface Authority {
  /** The server it is about; tokens are shown to no other. */
  server_url: string;
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint?: string;
  registration_endpoint?: string;
  /** Every answer names its issuer (RFC 9207). */
  iss_expected?: boolean;
  /** The address of a metadata document may be a client id. */
  takes_metadata_url?: true;
  /** What tokens are asked for (RFC 8707). */
  resource: string;
  /** How clients may prove who they are at the token endpoint. */
  auth_methods?: string[];
  /** Nothing said so: it was assumed. */
  guessed?: true;
  /** What may be asked for, where the configuration says nothing. */
  scopes?: string[];
}

export type AuthMethod = "none" | "client_secret_basic" | "client_secret_post";

/** What this program is to a sign-in server. */
export interface Client {
  id: string;
  /** Of a registered client only; that of a configured one is read where it is used. */
  secret?: string;
  method: AuthMethod;
  /** It registered itself, for this address alone. */
  registered: boolean;
  redirect_uri: string;
  /** What it was registered for. */
  scope?: string;
  /** When the secret ends (ms). */
  expires_at?: number;
}

export interface Tokens {
  access: string;
  refresh?: string;
  obtained_at: number;
  /** Absent: nobody said, so it is good until it is refused. */
  expires_at?: number;
  scope?: string;
}

/** A sign-in that was begun. */
export interface Pending {
  state: string;
  verifier: string;
  correlation_id: string;
  expires_at: number;
  /** Name of whoever began it, for the record. */
  by: string;
  authority: Authority;
  client: Client;
  scope?: string;
}

/** All that is kept of one owner's sign-in at one server; sealed at rest. */
export interface Credentials {
  authority?: Authority;
  client?: Client;
  tokens?: Tokens;
  pending?: Pending;
  /** The last sign-in with this client was never finished, so the client may be the reason. */
  unfinished?: true;
  /** The sign-in server accepts the refresh token no more. */
  ended?: { at: number; reason: string };
  /** A person signed out; nothing is tried before somebody signs in. */
  signed_out?: true;
  /** Scopes that a request lacked. */
  needs?: string[];
}

/** The same record without one of its members. */
export function without<K extends keyof Credentials>(record: Credentials, key: K): Credentials {
  const { [key]: _, ...rest } = record;
  return rest;
}
