import * as v from "valibot";

const text = v.string();
const time = v.number();
const optionalText = v.exactOptional(text);
const texts = v.exactOptional(v.array(text));
const mark = v.exactOptional(v.literal(true));

/** The authorization server of an upstream server, as discovered; stored so that tokens can be renewed. */
export const Authority = v.object({
  /** The upstream server; tokens are sent to no other. */
  server_url: text,
  issuer: text,
  /** Absent only if nobody signs in there in a browser. */
  authorization_endpoint: optionalText,
  token_endpoint: text,
  revocation_endpoint: optionalText,
  registration_endpoint: optionalText,
  /** Whether every authorization response contains the issuer (RFC 9207). */
  iss_expected: v.exactOptional(v.boolean()),
  /** Whether the URL of a client ID metadata document can be the client ID. */
  takes_metadata_url: mark,
  /** The resource for which tokens are requested (RFC 8707). */
  resource: text,
  /** Client authentication methods of the token endpoint. */
  auth_methods: texts,
  /** Algorithms with which clients may sign there. */
  signing_algs: texts,
  /** Set if no metadata was found and the endpoints were assumed. */
  guessed: mark,
  /** Default scopes, if the configuration names none. */
  scopes: texts,
});
export type Authority = v.InferOutput<typeof Authority>;

export const AuthMethod = v.picklist(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]);
export type AuthMethod = v.InferOutput<typeof AuthMethod>;

/** The proxy's client registration at an authorization server. */
export const Client = v.object({
  id: text,
  /** The secret of a registered client; that of a configured client is read at each use. */
  secret: optionalText,
  method: AuthMethod,
  /** Whether the client was registered dynamically, for this redirect URI only. */
  registered: v.boolean(),
  redirect_uri: text,
  /** The registered scope. */
  scope: optionalText,
  /** Expiry of the secret (ms). */
  expires_at: v.exactOptional(time),
});
export type Client = v.InferOutput<typeof Client>;

export const Tokens = v.object({
  access: text,
  refresh: optionalText,
  obtained_at: time,
  /** Expiry (ms). If absent, the token is used until it is rejected. */
  expires_at: v.exactOptional(time),
  scope: optionalText,
});
export type Tokens = v.InferOutput<typeof Tokens>;

/** A sign-in in progress. */
export const Pending = v.object({
  state: text,
  verifier: text,
  correlation_id: text,
  expires_at: time,
  /** Name of the user who began it, for the activity record. */
  by: text,
  authority: Authority,
  client: Client,
  scope: optionalText,
});
export type Pending = v.InferOutput<typeof Pending>;

/** The stored credentials of one owner at one server; sealed at rest. */
export const Credentials = v.object({
  authority: v.exactOptional(Authority),
  client: v.exactOptional(Client),
  tokens: v.exactOptional(Tokens),
  /** Set if the proxy gets new tokens by itself, without a refresh token. */
  grant: v.exactOptional(v.picklist(["client_credentials", "id_jag"])),
  pending: v.exactOptional(Pending),
  /** Set if the last sign-in with this client was not finished, which the client may have caused. */
  unfinished: mark,
  /** Set when the authorization server rejected the refresh token. */
  ended: v.exactOptional(v.object({ at: time, reason: text })),
  /** Set after a sign-out; no connection is attempted before the next sign-in. */
  signed_out: mark,
  /** Scopes that a rejected request required. */
  needs: texts,
});
export type Credentials = v.InferOutput<typeof Credentials>;

/** Returns the record without one member. */
export function without<K extends keyof Credentials>(record: Credentials, key: K): Credentials {
  const { [key]: _, ...rest } = record;
  return rest;
}
