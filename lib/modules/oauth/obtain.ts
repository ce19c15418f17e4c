import { Fault, reasonOf } from "../../core/base/fault.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { scopesFor } from "./address.ts";
import type { Credentials, Tokens } from "./credentials.ts";
import { discover } from "./discover.ts";
import { grantByIdentity, noPersonalToken } from "./grant-by-identity.ts";
import { type Grant, grantByClient } from "./grants.ts";
import type { Holder } from "./holder.ts";
import { NoPersonalToken, noTokenCode } from "./identity-assertions.ts";
import { grantOf, nameOf, type OAuthContext } from "./oauth-context.ts";
import type { Place } from "./records.ts";
import { refusalOf } from "./refusal.ts";
import { configuredClient } from "./register.ts";
import { MIN_DELAY_MS } from "./renewer.ts";
import { settingsOf } from "./settings.ts";
import { withDeadline } from "./with-deadline.ts";

/** Timeout of all steps (ms). */
const TIMEOUT_MS = 45_000;

type UnattendedGrant = NonNullable<Credentials["grant"]>;

/**
 * How the proxy gets tokens for this owner without a browser; undefined if a person has to sign in. A server that each
 * user uses with an assertion of the identity provider lists its tools in the same way, unless it has a grant of its own.
 */
export function unattendedGrant(
  { config }: Pick<OAuthContext, "config">,
  { owner, server }: Place,
): UnattendedGrant | undefined {
  const entry = config.server(server);
  if (owner === "" && entry?.oauth?.grant === "client_credentials") return "client_credentials";
  return entry?.auth_broker?.mode === "id_jag" && config.current().server_edition?.enabled ? "id_jag" : undefined;
}

/**
 * Gets a token without a browser, if the configuration of the server says so: as the proxy itself, or with an assertion
 * of the identity provider.
 *
 * @returns false if a person has to sign in at this server
 * @throws Error that says why there is no token; NoPersonalToken for the grant `id_jag`
 */
export async function obtainToken(around: OAuthContext, place: Place, holder: Holder): Promise<boolean> {
  const grant = unattendedGrant(around, place);
  const entry = around.config.server(place.server);
  if (grant === undefined || !entry) return false;
  return grant === "client_credentials"
    ? obtainAsItself(around, place, entry, holder)
    : obtainForPerson(around, place, entry, holder);
}

/**
 * Gets a token for a user's call. After a recent failure it fails at once with the same reason, so that many calls do
 * not cause many requests.
 *
 * @returns false if the user has to sign in at this server
 * @throws NoPersonalToken
 */
export async function obtainForCall(holder: Holder, now: number): Promise<boolean> {
  const { failure } = holder.status();
  const code = noTokenCode(failure?.errorType);
  if (failure && code && now - failure.at < MIN_DELAY_MS)
    throw new NoPersonalToken(code, failure.reason, failure.suggestion);
  return holder.obtain();
}

async function obtainAsItself(around: OAuthContext, place: Place, entry: ServerConfig, holder: Holder): Promise<true> {
  const secretTexts: string[] = [];
  try {
    const issuer = await obtain(around, { place, entry, holder, how: "client_credentials", secretTexts });
    around.log.info(`the proxy signed in to server "${place.server}" as itself at ${issuer}`, { server: place.server });
    return true;
  } catch (error) {
    const reason = error instanceof Fault ? reasonOf(error) : refusalOf(error, secretTexts).text;
    throw new Error(`the proxy could not sign in as itself (client credentials): ${reason}`, { cause: error });
  }
}

async function obtainForPerson(around: OAuthContext, place: Place, entry: ServerConfig, holder: Holder): Promise<true> {
  const { server, owner } = place;
  const { clock, log } = around;
  try {
    const issuer = await obtain(around, { place, entry, holder, how: "id_jag", secretTexts: [] });
    log.info(`signed in to server "${server}" at ${issuer} by an assertion of the identity provider`, {
      server,
      ...(owner !== "" && { user_id: owner }),
    });
  } catch (error) {
    const why = noPersonalToken(error);
    const { code: errorType, reason, remedy: suggestion } = why;
    log.warn(`no token for server "${server}" by an assertion of the identity provider: ${reason}`, {
      server,
      ...(owner !== "" && { user_id: owner }),
    });
    holder.failed({ errorType, reason, suggestion, correlationId: "", at: clock.now() });
    throw why;
  }
  holder.failed(undefined);
  return true;
}

interface Obtaining {
  readonly place: Place;
  readonly entry: ServerConfig;
  readonly holder: Holder;
  readonly how: UnattendedGrant;
  /** Gets the secrets of the configuration, which no message may contain. */
  readonly secretTexts: string[];
}

/** Discovers the authorization server, gets a token there and stores it. @returns the issuer */
async function obtain(around: OAuthContext, { place, entry, holder, how, secretTexts }: Obtaining): Promise<string> {
  const { clock, egress, closing } = around;
  const { signal, cancel } = withDeadline(clock, TIMEOUT_MS, [closing]);
  const { epoch } = holder;
  try {
    const name = nameOf(around, place.server, "");
    const settings = { ...(await settingsOf(around, entry, name)), grant: how };
    secretTexts.push(...settings.secret);
    const authority = await discover({ egress, clock, settings, name, challenge: holder.challenge(), signal });
    // The configuration ensures that there is a client id.
    const client = configuredClient(authority, settings, "")!;
    const before = how === "id_jag" ? await holder.read().catch(() => undefined) : undefined;
    const scopes = settings.scopes ?? scopesFor(authority.scopes, before);
    const scope = scopes?.filter((one) => one !== "offline_access").join(" ") || undefined;
    const tokens = await tokensBy(how, around, place, grantOf(around, { authority, client, settings, signal }), scope);
    // What was requested before a sign-out is not stored after it.
    await holder.change((now) => (epoch === holder.epoch ? { authority, client, tokens, grant: how } : now));
    return authority.issuer;
  } finally {
    cancel();
  }
}

/** Requests a token. @throws NoPersonalToken for `id_jag`; errors that `refusalOf` interprets */
export function tokensBy(
  how: UnattendedGrant,
  around: OAuthContext,
  place: Place,
  grant: Grant,
  scope: string | undefined,
): Promise<Tokens> {
  return how === "id_jag" ? grantByIdentity(around, place, grant, scope) : grantByClient(grant, scope);
}
