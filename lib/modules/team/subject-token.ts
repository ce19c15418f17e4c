import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from "openid-client";
import { type App, part } from "../../core/app.ts";
import { NoPersonalToken } from "../oauth/identity-assertions.ts";
import { refusalOf } from "../oauth/refusal.ts";
import { currentEdition, type Edition } from "./edition.ts";
import {
  deleteIdentity,
  type IdentityRecord,
  identityDocument,
  readIdentity,
  writeIdentity,
} from "./identity-record.ts";
import { provider } from "./provider.ts";

/** A token that proves to the identity provider who the user is (RFC 8693 §2.1: `subject_token`). */
export interface SubjectToken {
  readonly token: string;
  readonly type: "urn:ietf:params:oauth:token-type:id_token" | "urn:ietf:params:oauth:token-type:refresh_token";
  /** Whether the proxy can get a newer one. */
  readonly renewable: boolean;
}

/** An ID token that expires sooner is renewed first (ms). */
const MIN_LIFE_MS = 30_000;

/** The renewals under way, by user. */
const renewals = part("identityRenewals", () => new Map<string, Promise<SubjectToken>>());

/**
 * Returns a user's ID token. An expired one is renewed with the refresh token; if the identity provider renews none, the
 * refresh token stands for it, as the draft permits (§4.3).
 *
 * @param rejected the ID token that the identity provider no longer accepts
 * @throws NoPersonalToken
 */
export async function subjectToken(app: App, user: string, rejected?: string): Promise<SubjectToken> {
  const found = current(app, await readIdentity(app, user), rejected);
  if (found) return found;
  const under = app.part(renewals);
  const running = under.get(user);
  if (running) return running;
  const { shared } = app.store.documents;
  const work = () => renewed(app, user, rejected);
  const renewal = (shared ? shared.exclusively(identityDocument(user), work) : work()).finally(() =>
    under.delete(user),
  );
  under.set(user, renewal);
  return renewal;
}

function current(app: App, record: IdentityRecord | undefined, rejected: string | undefined): SubjectToken | undefined {
  const { idToken, expiresAt, refreshToken } = record ?? {};
  if (idToken === undefined || idToken === rejected || app.clock.now() + MIN_LIFE_MS >= expiresAt!) return undefined;
  return {
    token: idToken,
    type: "urn:ietf:params:oauth:token-type:id_token",
    renewable: refreshToken !== undefined,
  };
}

async function renewed(app: App, user: string, rejected: string | undefined): Promise<SubjectToken> {
  const record = await readIdentity(app, user);
  // Another request or another replica may have renewed it.
  const found = current(app, record, rejected);
  if (found) return found;
  const edition = currentEdition(app);
  if (!record || !edition) throw missing("the proxy has no sign-in of this user");
  if (record.refreshToken === undefined)
    throw missing(
      "the sign-in at the identity provider has expired, and it issued no refresh token",
      "; so that it lasts longer, an administrator can add offline_access to server_edition.oauth.scopes",
    );
  const { idToken, refreshToken, expiresAt } = await refresh(app, edition, user, record, record.refreshToken);
  await writeIdentity(app, user, { ...record, idToken, refreshToken, expiresAt });
  return (
    current(app, { ...record, idToken, refreshToken, expiresAt }, rejected) ?? {
      token: refreshToken,
      type: "urn:ietf:params:oauth:token-type:refresh_token",
      renewable: false,
    }
  );
}

async function refresh(
  app: App,
  edition: Edition,
  user: string,
  record: IdentityRecord,
  refreshToken: string,
): Promise<Required<Omit<IdentityRecord, "session">>> {
  const { oidc, configuration } = await provider(app, edition);
  let tokens: TokenEndpointResponse & TokenEndpointResponseHelpers;
  try {
    tokens = await oidc.refreshTokenGrant(configuration, refreshToken);
  } catch (error) {
    const { kind, text } = refusalOf(error, [refreshToken, record.idToken], "the identity provider");
    if (kind !== "grant")
      throw new NoPersonalToken("server_access_unavailable", text, "try again, or see: proxy doctor", { cause: error });
    await deleteIdentity(app, user);
    throw missing(`the identity provider has ended the sign-in: ${text}`);
  }
  const claims = tokens.claims();
  // A renewed ID token must be about the same person (OpenID Connect Core §12.2).
  if (claims && claims.sub !== app.store.users.get(user)?.subject) {
    await deleteIdentity(app, user);
    throw missing("the identity provider renewed the sign-in of another person");
  }
  return {
    idToken: tokens.id_token ?? record.idToken,
    expiresAt: claims ? claims.exp * 1000 : record.expiresAt,
    refreshToken: tokens.refresh_token ?? refreshToken,
  };
}

/** A user who must sign in to the proxy again. */
export function missing(reason: string, more = ""): NoPersonalToken {
  return new NoPersonalToken("proxy_sign_in_needed", reason, `sign in to the proxy again${more}`);
}
