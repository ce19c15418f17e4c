import { Fault, reasonOf } from "../../core/base/fault.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { settingCommand } from "./advice.ts";
import type { Tokens } from "./credentials.ts";
import { type Grant, grantByAssertion } from "./grants.ts";
import { NoPersonalToken } from "./identity-assertions.ts";
import type { OAuthContext } from "./oauth-context.ts";
import { quote } from "./quote.ts";
import type { Place } from "./records.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { sameIssuer } from "./well-known.ts";

/**
 * Gets an access token for a person with an assertion of the company's identity provider (ID-JAG), so that nobody has
 * to consent (MCP extension "Enterprise-Managed Authorization").
 *
 * @throws NoPersonalToken
 */
export async function grantByIdentity(
  { assertions }: Pick<OAuthContext, "assertions">,
  { owner, server }: Place,
  grant: Grant,
  scope: string | undefined,
): Promise<Tokens> {
  const { authority, client, settings, signal } = grant;
  const target = { server, audience: authority.issuer, resource: authority.resource, scope };
  const assertion = await assertions().request(owner, target, signal);
  const mismatch = mismatchOf(assertion, grant, server);
  if (mismatch) throw mismatch;
  try {
    return await grantByAssertion(grant, assertion, scope);
  } catch (error) {
    signal.throwIfAborted();
    throw refused(refusalOf(error, [assertion, client.secret, ...settings.secret], "it"), grant, server, error);
  }
}

/**
 * Compares the claims of an assertion with what was requested, to name the setting that is wrong: the authorization
 * server would only answer `invalid_grant`. Its signature is for the authorization server to verify.
 */
function mismatchOf(assertion: string, { authority, client }: Grant, server: string): NoPersonalToken | undefined {
  const claims = claimsOf(assertion);
  if (!claims) return undefined;
  const { aud, client_id: id } = claims;
  const audiences = [aud].flat().filter((one) => typeof one === "string");
  const not = (reason: string, remedy: string) =>
    new NoPersonalToken("server_access_denied", `the identity provider's assertion is for ${reason}`, remedy);
  if (!audiences.some((one) => sameIssuer(one, authority.issuer)))
    return not(
      `another audience (${quote(audiences.join(", "), [])}) than ${authority.issuer}, the authorization server of server "${server}"`,
      `correct the audience at the identity provider, or oauth.issuer of server "${server}", ${settingCommand(server, "issuer")}`,
    );
  if (typeof id === "string" && id !== client.id)
    return not(
      `another client (${quote(id, [])}) than ${client.id}, the proxy's client at ${authority.issuer}`,
      `correct the client at the identity provider, or oauth.client_id of server "${server}", ${settingCommand(server, "client_id")}`,
    );
  return undefined;
}

/** The claims of a JWT; undefined if the text is none. */
function claimsOf(jwt: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

function refused({ text, error }: Refusal, { authority }: Grant, server: string, cause: unknown): NoPersonalToken {
  const reason = `the authorization server ${authority.issuer} did not accept the identity provider's assertion: ${text}`;
  const remedy = error === undefined ? undefined : remedyFor(error, server);
  return remedy === undefined
    ? new NoPersonalToken("server_access_unavailable", reason, "try again later", { cause })
    : new NoPersonalToken("server_access_denied", reason, remedy, { cause });
}

function remedyFor(error: string, server: string): string | undefined {
  switch (error) {
    case "unsupported_grant_type":
      return `it does not support ID-JAG (the grant jwt-bearer); ask its provider, or set auth_broker.mode of server "${server}" to oauth_connect`;
    case "unauthorized_client":
      return "allow the proxy's client the grant jwt-bearer there";
    case "invalid_client":
      return `check oauth.client_id and oauth.client_secret of server "${server}"`;
    case "invalid_grant":
      return "check there that it trusts the identity provider, and that the person has an account";
    case "invalid_scope":
      return `set oauth.scopes of server "${server}" to scopes that it knows, ${settingCommand(server, "scopes")}`;
    case "invalid_target":
      return `set oauth.extra_params.resource of server "${server}" to the name by which it knows the server`;
    case "server_error":
    case "temporarily_unavailable":
      return undefined;
    default:
      return "see its log for the reason";
  }
}

/** Any error of these steps as one that names the remedy; those before the assertion are about the server's metadata. */
export function noPersonalToken(error: unknown): NoPersonalToken {
  if (error instanceof NoPersonalToken) return error;
  const { suggestion = "try again later" } = (error instanceof Fault ? error.facts : {}) as { suggestion?: string };
  const reason = error instanceof Fault && "reason" in error.facts ? String(error.facts.reason) : reasonOf(error);
  return new NoPersonalToken("server_access_unavailable", reason, suggestion, { cause: error });
}
