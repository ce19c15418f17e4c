import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** A deviation of the provider from correct behaviour. */
export interface Rudeness {
  /** Replaces members of the discovery document. */
  metadata?: Record<string, unknown>;
  /** Handles the request for the discovery document. */
  discovery?(res: ServerResponse): void;
  /** The key ID from now on. */
  keyId?: string;
  /** Replaces claims of the ID token; undefined removes one. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Creates the ID token from its correct claims. */
  idToken?(claims: Record<string, unknown>, idp: RudeIdp): string | undefined | Promise<string | undefined>;
  /** Handles the request to the token endpoint. */
  token?(res: ServerResponse): void;
  /** Replaces members of the token response. */
  answer?: Record<string, unknown>;
  /** The userinfo response, or a handler for the request. */
  userinfo?: Record<string, unknown> | ((res: ServerResponse) => void);
}

/** A small OpenID provider with selectable errors. It has no sign-in page: every code is valid once. */
export interface RudeIdp {
  readonly issuer: string;
  readonly key: CryptoKey;
  readonly stranger: CryptoKey;
  rude: Rudeness;
  /** Nonce of the sign-in for which the next code is issued. */
  nonce: string;
  /** Bodies and headers of requests to the token endpoint. */
  readonly asked: { body: URLSearchParams; authorization: string | undefined }[];
  close(): Promise<void>;
}

export const KID = "k1";

export async function startRudeIdp(): Promise<RudeIdp> {
  const own = await generateKeyPair("RS256", { extractable: true });
  const other = await generateKeyPair("RS256", { extractable: true });
  const jwk: JWK = { ...(await exportJWK(own.publicKey)), kid: KID, alg: "RS256", use: "sig" };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const idp: RudeIdp = {
    issuer,
    key: own.privateKey,
    stranger: other.privateKey,
    rude: {},
    nonce: "",
    asked: [],
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    authorization_response_iss_parameter_supported: false,
    ...idp.rude.metadata,
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? "/", issuer);
    const { rude } = idp;
    if (pathname === "/.well-known/openid-configuration")
      return rude.discovery ? rude.discovery(res) : json(res, metadata());
    if (pathname === "/jwks") return json(res, { keys: [{ ...jwk, kid: rude.keyId ?? KID }] });
    if (pathname === "/userinfo")
      return typeof rude.userinfo === "function" ? rude.userinfo(res) : json(res, { sub: "u1", ...rude.userinfo });
    if (pathname !== "/token") return void res.writeHead(404).end();
    let text = "";
    for await (const part of req) text += part;
    idp.asked.push({ body: new URLSearchParams(text), authorization: req.headers.authorization });
    if (rude.token) return rude.token(res);
    const id_token = await idToken(idp);
    json(res, {
      access_token: "at",
      token_type: "Bearer",
      ...(id_token !== undefined && { id_token }),
      ...rude.answer,
    });
  }
  return idp;
}

/** The claims of a correct ID token. */
export function goodClaims({ issuer, nonce }: RudeIdp): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    sub: "u1",
    aud: "proxy",
    iat: now,
    exp: now + 300,
    nonce,
    email: "dora@example.com",
    email_verified: true,
    groups: ["dev"],
  };
}

async function idToken(idp: RudeIdp): Promise<string | undefined> {
  const { rude } = idp;
  const all = Object.entries({ ...goodClaims(idp), ...rude.claims }).filter(([, value]) => value !== undefined);
  const claims = Object.fromEntries(all);
  return rude.idToken ? rude.idToken(claims, idp) : signed(claims, idp.key, { alg: "RS256", kid: KID, ...rude.header });
}

export function signed(claims: Record<string, unknown>, key: CryptoKey | Uint8Array, header: object): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header as { alg: string }).sign(key);
}

/** An unsigned token. */
export function unsigned(claims: object, header: object = { alg: "none" }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(claims)}.`;
}

function json(res: ServerResponse, body: object): void {
  res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
