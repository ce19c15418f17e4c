import { createHash } from "node:crypto";
import type { JWTPayload } from "jose";
import type { App } from "../../core/app.ts";
import type { UserRow } from "../../core/schema/user.ts";
import { currentEdition } from "../team/edition.ts";
import { identityKeys } from "../team/identity-keys.ts";
import { findResource } from "./resources.ts";
import { issuerOf } from "./settings.ts";

/** Algorithms of an identity provider's signatures; symmetric ones would need a secret that clients could know. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
/** Tolerated difference between clocks, and longest time since an assertion was issued (s). */
const TOLERANCE_S = 30;
const MAX_AGE_S = 3600;
const MAX_CHARACTERS = 16 * 1024;

/** What an assertion of the identity provider allows. */
interface Asserted {
  readonly user: UserRow;
  readonly resource: string;
  readonly profile?: string;
  /** The scopes that the identity provider allows; absent: no limit. */
  readonly scope?: string;
  /** A hash of its id, and until when it could be sent again (ms). */
  readonly id: string;
  readonly until: number;
}

/**
 * Verifies an assertion of the company's identity provider about a person (ID-JAG, RFC 7523 §3).
 *
 * @param clientId of the client that sent it and has proven itself
 * @throws Error that says what is wrong with it
 */
export async function verifyAssertion(app: App, assertion: string, clientId: string): Promise<Asserted> {
  const edition = currentEdition(app);
  if (!edition) throw new Error("assertions of an identity provider need the multi-user edition");
  if (assertion.length > MAX_CHARACTERS) throw new Error("the assertion is too long");
  const { jwtVerify } = await import("jose");
  const { payload } = await jwtVerify(assertion, identityKeys(app, edition), {
    typ: "oauth-id-jag+jwt",
    algorithms: ALGORITHMS,
    issuer: edition.oauth.issuer_url,
    requiredClaims: ["sub", "aud", "exp", "iat", "jti", "client_id", "resource"],
    clockTolerance: TOLERANCE_S,
    maxTokenAge: MAX_AGE_S,
    currentDate: new Date(app.clock.now()),
  });
  // One audience only, as a text: an assertion for several servers could be used at another one.
  if (payload.aud !== issuerOf(app)) throw new Error(`the assertion is for another audience than ${issuerOf(app)}`);
  if (payload.client_id !== clientId) throw new Error("the assertion is for another client");
  const resource = String(payload.resource);
  const found = findResource(app, resource);
  if (!found) throw new Error("the resource of the assertion is not an MCP endpoint of this proxy");
  const user = app.store.users.bySubject(edition.oauth.issuer_url, payload.sub!);
  if (!user) throw new Error("the person has no account yet; sign in to the proxy once");
  if (user.disabledAt !== undefined) throw new Error("the account of the person is disabled");
  return {
    user,
    resource,
    ...(found.profile !== undefined && { profile: found.profile }),
    ...(typeof payload.scope === "string" && { scope: payload.scope }),
    ...useOf(payload),
  };
}

/** MAX_AGE_S bounds how long an id must be remembered, whatever `exp` says. */
function useOf({ jti, iat, exp }: JWTPayload): { id: string; until: number } {
  const end = Math.min(exp!, iat! + MAX_AGE_S) + TOLERANCE_S;
  return { id: createHash("sha256").update(jti!).digest("base64url"), until: end * 1000 };
}
