import * as v from "valibot";
import type { Egress } from "../../core/base/egress/egress.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import { settingCommand, whereSuggestion } from "./advice.ts";
import { AuthMethod, type Authority, type Client, type Credentials } from "./credentials.ts";
import { type FlowName, flowFault } from "./flow-fault.ts";
import { quote } from "./quote.ts";
import type { Settings } from "./settings.ts";
import { sameIssuer } from "./well-known.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;
/** The latest time that a Date can hold (s). */
const MAX_TIME_S = 8.64e12;

const Registered = v.looseObject({
  client_id: v.pipe(v.string(), v.nonEmpty()),
  client_secret: v.nullish(v.string()),
  client_secret_expires_at: v.nullish(v.number()),
  token_endpoint_auth_method: v.nullish(v.string()),
  scope: v.nullish(v.string()),
});

interface Registration {
  readonly egress: Egress;
  readonly authority: Authority;
  readonly settings: Settings;
  readonly name: FlowName;
  readonly redirectUri: string;
  /** The scopes that the sign-in will request. */
  readonly scopes: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly now: number;
}

/**
 * Determines the proxy's client at an authorization server: the configured client, the client of the configured
 * metadata document, the one registered before for the same redirect URI, or a new registration (RFC 7591). If the last
 * sign-in with a registration was not finished, the proxy registers again: the authorization server may have deleted
 * the registration, and shows that only to the browser.
 *
 * @throws Fault client_id_required, dcr_failed
 */
export async function clientFor(from: Registration, before: Credentials | undefined): Promise<Client> {
  const { authority, settings, name, redirectUri, scopes, now } = from;
  const configured = configuredClient(authority, settings, redirectUri);
  if (configured) return configured;
  if (settings.clientMetadataUrl !== undefined && authority.takes_metadata_url)
    return { id: settings.clientMetadataUrl, method: "none", registered: false, redirect_uri: redirectUri };
  const registeredClient = before?.client;
  const fits =
    registeredClient?.registered &&
    !before?.unfinished &&
    sameIssuer(before?.authority?.issuer ?? "", authority.issuer) &&
    registeredClient.redirect_uri === redirectUri &&
    // A request for more than the registered scope would be rejected.
    (registeredClient.scope === undefined ||
      (scopes ?? []).every((scope) => registeredClient.scope?.split(" ").includes(scope))) &&
    (registeredClient.expires_at === undefined || registeredClient.expires_at > now);
  if (fits) return registeredClient;
  if (authority.registration_endpoint === undefined)
    throw flowFault(
      "client_id_required",
      name,
      `the sign-in server ${authority.issuer} does not support client registration`,
      `register a client there with the redirect URI ${redirectUri}, then set oauth.client_id (and oauth.client_secret, if it issues one) of server "${name.server}", ${settingCommand(name.server, "client_id")}`,
    );
  return await register(from, authority.registration_endpoint);
}

/** Returns the client that the configuration names. */
export function configuredClient(
  authority: Authority,
  { clientId, clientSecret, privateKey }: Settings,
  redirectUri: string,
): Client | undefined {
  if (clientId === undefined) return undefined;
  const method = privateKey
    ? "private_key_jwt"
    : clientSecret === undefined
      ? "none"
      : methodOf(authority, ["client_secret_basic", "client_secret_post"]);
  return { id: clientId, method, registered: false, redirect_uri: redirectUri };
}

async function register(from: Registration, endpoint: string): Promise<Client> {
  const { egress, authority, settings, name, redirectUri, scopes, signal } = from;
  const { dcr } = name.details;
  const method = methodOf(authority, ["none", "client_secret_post", "client_secret_basic"]);
  dcr.attempted = true;
  try {
    const answer = await egress.fetch(endpoint, {
      signal,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(about(redirectUri, method, scopes)),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      redirects: 0,
      allow: settings.allow,
    });
    dcr.status_code = answer.status;
    if (answer.status !== 200 && answer.status !== 201) throw new Error(saidIn(answer.text, answer.status));
    const registration = v.safeParse(Registered, JSON.parse(answer.text));
    if (!registration.success) throw new Error("its response has no client_id");
    dcr.success = true;
    return clientOf(registration.output, method, redirectUri, scopes?.join(" "));
  } catch (error) {
    signal.throwIfAborted();
    dcr.error = error instanceof SyntaxError ? "its response is not JSON" : reasonOf(error);
    // If the endpoints were assumed, the actual problem is the missing metadata.
    if (authority.guessed)
      throw flowFault(
        "metadata_discovery_failed",
        name,
        `there is no metadata for signing in to server "${name.server}", and ${endpoint} does not register clients: ${dcr.error}`,
        whereSuggestion(name, "absent"),
        { cause: error },
      );
    throw flowFault(
      "dcr_failed",
      name,
      `the sign-in server ${authority.issuer} did not register the proxy: ${dcr.error}`,
      error instanceof Fault
        ? "try again later, or check the address of its registration_endpoint"
        : `register a client there manually with the redirect URI ${redirectUri}, then set oauth.client_id of server "${name.server}", ${settingCommand(name.server, "client_id")}`,
      { cause: error },
    );
  }
}

function about(redirectUri: string, method: AuthMethod, scopes: readonly string[] | undefined) {
  return {
    client_name: "proxy",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: method,
    // A loopback redirect URI marks a native application (RFC 8252).
    application_type: new URL(redirectUri).protocol === "http:" ? "native" : "web",
    ...(scopes?.length && { scope: scopes.join(" ") }),
  };
}

function clientOf(
  registration: v.InferOutput<typeof Registered>,
  requestedMethod: AuthMethod,
  redirectUri: string,
  scopes: string | undefined,
): Client {
  const {
    client_id: id,
    client_secret: secret,
    client_secret_expires_at: ends,
    token_endpoint_auth_method,
  } = registration;
  const method =
    AuthMethod.options.find((method) => method === token_endpoint_auth_method && method !== "private_key_jwt") ??
    (secret ? "client_secret_basic" : requestedMethod);
  return {
    id,
    ...(secret && { secret }),
    method: secret ? method : "none",
    registered: true,
    redirect_uri: redirectUri,
    ...(scopes && { scope: registration.scope || scopes }),
    ...(secret && ends && { expires_at: Math.min(ends, MAX_TIME_S) * 1000 }),
  };
}

/** The first of the wanted methods that the server supports; the first one if it does not list any (RFC 8414 §2). */
function methodOf({ auth_methods }: Authority, preferences: readonly AuthMethod[]): AuthMethod {
  const [first = "none"] = preferences;
  return preferences.find((method) => auth_methods?.includes(method)) ?? first;
}

function saidIn(text: string, status: number): string {
  try {
    const { error, error_description: description } = JSON.parse(text) as Record<string, unknown>;
    if (typeof error === "string")
      return quote(typeof description === "string" ? `${error} (${description})` : error, []);
  } catch {
    // The response has no readable text.
  }
  return `HTTP ${status}`;
}
