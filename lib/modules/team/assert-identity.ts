import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { type AssertionTarget, NoPersonalToken } from "../oauth/identity-assertions.ts";
import { type Refusal, refusalOf } from "../oauth/refusal.ts";
import { currentEdition, type Edition } from "./edition.ts";
import { provider } from "./provider.ts";
import { isAdmin } from "./scope.ts";
import { missing, type SubjectToken, subjectToken } from "./subject-token.ts";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/** Maximum number of administrators with whose identity the tools of a server are listed, newest sign-in first. */
const MAX_ADMINISTRATORS = 5;

/**
 * Requests an assertion about a user from the identity provider (RFC 8693, ID-JAG), which decides by its policy.
 *
 * @param owner id of the user; empty for an administrator
 * @throws NoPersonalToken
 */
export async function assertIdentity(
  app: App,
  owner: string,
  target: AssertionTarget,
  signal: AbortSignal,
): Promise<string> {
  const edition = currentEdition(app);
  if (!edition) throw missing("the multi-user edition is disabled");
  if (owner !== "") return assertUser(app, edition, owner, target, signal);
  for (const id of administrators(app, edition)) {
    try {
      return await assertUser(app, edition, id, target, signal);
    } catch (error) {
      if (!(error instanceof NoPersonalToken) || error.code !== "proxy_sign_in_needed") throw error;
    }
  }
  throw new NoPersonalToken(
    "proxy_sign_in_needed",
    `the proxy lists the tools of server "${target.server}" as an administrator, and none is signed in`,
    `an administrator must sign in to the control panel with the identity provider (server_edition.admin_emails), or sign in to the server with: proxy upstream login ${target.server}`,
  );
}

function administrators({ store }: App, edition: Edition): string[] {
  return store.users
    .all()
    .filter((user) => user.disabledAt === undefined && isAdmin(edition, user))
    .sort((a, b) => b.signedInAt - a.signedInAt)
    .slice(0, MAX_ADMINISTRATORS)
    .map(({ id }) => id);
}

async function assertUser(
  app: App,
  edition: Edition,
  user: string,
  target: AssertionTarget,
  signal: AbortSignal,
): Promise<string> {
  if (app.store.users.get(user)?.disabledAt !== undefined) throw missing("this account is disabled");
  const subject = await subjectToken(app, user);
  try {
    return await exchange(app, edition, subject, target);
  } catch (error) {
    signal.throwIfAborted();
    // The identity provider may end an ID token early.
    const isStale = subject.renewable && error instanceof NoPersonalToken && error.code === "proxy_sign_in_needed";
    if (!isStale) throw error;
    return await exchange(app, edition, await subjectToken(app, user, subject.token), target);
  }
}

async function exchange(
  app: App,
  edition: Edition,
  { token, type }: SubjectToken,
  target: AssertionTarget,
): Promise<string> {
  const { audience, resource, scope } = target;
  try {
    const { oidc, configuration } = await provider(app, edition);
    const answer = await oidc.genericGrantRequest(configuration, TOKEN_EXCHANGE, {
      requested_token_type: ID_JAG,
      audience,
      resource,
      subject_token: token,
      subject_token_type: type,
      ...(scope !== undefined && { scope }),
    });
    if (answer.issued_token_type === ID_JAG) return answer.access_token;
  } catch (error) {
    const secret = await app.secrets.resolve(edition.oauth.client_secret).catch(() => undefined);
    throw refused(refusalOf(error, [token, secret], "the identity provider"), edition, target, error);
  }
  throw new NoPersonalToken(
    "server_access_denied",
    "the identity provider returned a token that is not an assertion (ID-JAG)",
    "check that it supports the token exchange with requested_token_type id-jag (cross-app access)",
  );
}

/** Errors after which only a new sign-in of the person helps. */
const STALE = ["invalid_grant", "login_required", "interaction_required", "insufficient_user_authentication"];

function refused({ text, error }: Refusal, edition: Edition, target: AssertionTarget, cause: unknown): NoPersonalToken {
  if (error !== undefined && STALE.includes(error)) return missing(text);
  const isPassing = error === undefined || error === "server_error" || error === "temporarily_unavailable";
  const unreachable = cause instanceof Fault && cause.code === "sign_in_unavailable";
  if (isPassing || unreachable)
    return new NoPersonalToken("server_access_unavailable", text, "try again, or see: proxy doctor", { cause });
  return new NoPersonalToken("server_access_denied", text, remedyFor(error, edition, target), { cause });
}

function remedyFor(error: string, { oauth }: Edition, { server, audience, resource }: AssertionTarget): string {
  switch (error) {
    case "access_denied":
      return `its administrator decides who may use ${audience} through the client ${oauth.client_id}`;
    case "invalid_target":
      return `register the authorization server ${audience} and the resource ${resource} there, or correct oauth.issuer of server "${server}"`;
    case "invalid_scope":
      return `allow the scopes there, or set oauth.scopes of server "${server}"`;
    case "unauthorized_client":
    case "unsupported_grant_type":
      return `allow the client ${oauth.client_id} the token exchange for ID-JAG there (cross-app access)`;
    case "invalid_client":
      return "check server_edition.oauth.client_id and client_secret";
    default:
      return "see its log for the reason";
  }
}
