import * as v from "valibot";
import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import type { Dialler } from "../dial/dial.ts";
import { unfit } from "./allow.ts";
import type { Challenge } from "./challenge.ts";
import type { Authority } from "./credentials.ts";
import type { Look } from "./diagnostics.ts";
import { type FlowName, flowFault } from "./flow-fault.ts";
import type { Settings } from "./settings.ts";
import { covers, resourceMetadataUrls, resourceOf, sameIssuer, serverMetadataUrls } from "./well-known.ts";

/** One document. (ms, bytes) */
const PATIENCE_MS = 8000;
const LARGEST = 256 * 1024;
/** How often one is asked again that has too much to do (HTTP 429), and the longest wait before it. (ms; reference 6.2) */
const BUSY_TRIES = 3;
const BUSY_MS = 10_000;
/** Sign-in servers tried of those that a server names. */
const MOST_ISSUERS = 3;

const words = v.nullish(v.array(v.string()));
const Resource = v.looseObject({
  resource: v.nullish(v.string()),
  authorization_servers: words,
  scopes_supported: words,
});
const Server = v.looseObject({
  issuer: v.string(),
  authorization_endpoint: v.string(),
  token_endpoint: v.string(),
  registration_endpoint: v.nullish(v.string()),
  revocation_endpoint: v.nullish(v.string()),
  scopes_supported: words,
  code_challenge_methods_supported: words,
  token_endpoint_auth_methods_supported: words,
  authorization_response_iss_parameter_supported: v.nullish(v.boolean()),
});

export interface Discovery {
  readonly dial: Dialler;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly name: FlowName;
  readonly challenge: Challenge | undefined;
  readonly signal: AbortSignal;
}

/**
 * Finds who lets people in to a server: the server's own metadata (RFC 9728), then that of the sign-in server it names
 * (RFC 8414, OpenID Connect). A server without metadata of its own may be its own sign-in server (MCP 2025-03-26).
 *
 * @throws Fault metadata_discovery_failed
 */
export async function discover(from: Discovery): Promise<Authority> {
  const { settings, challenge } = from;
  const resource = await resourceMetadata(from);
  const issuers = settings.issuer
    ? [settings.issuer]
    : (resource?.authorization_servers ?? [settings.url.origin]).slice(0, MOST_ISSUERS);
  // A server of the first revision with sign-in is its own sign-in server (MCP 2025-03-26).
  const own = resource === undefined && !settings.issuer ? settings.url.origin : undefined;
  const server = await serverMetadata(from, issuers, own);
  const scopes = challenge?.scope?.split(" ").filter(Boolean) ?? resource?.scopes_supported;
  return {
    server_url: resourceOf(settings.url),
    issuer: server.issuer,
    authorization_endpoint: settings.authorizationEndpoint ?? server.authorization_endpoint,
    token_endpoint: settings.tokenEndpoint ?? server.token_endpoint,
    ...(server.registration_endpoint && { registration_endpoint: server.registration_endpoint }),
    ...(server.revocation_endpoint && { revocation_endpoint: server.revocation_endpoint }),
    ...(server.authorization_response_iss_parameter_supported && { iss_expected: true }),
    ...(server.token_endpoint_auth_methods_supported && { auth_methods: server.token_endpoint_auth_methods_supported }),
    resource: resource?.resource ?? resourceOf(settings.url),
    // All that a shared sign-in server knows would be far too much to ask for.
    ...withScopes(scopes ?? (own === undefined ? undefined : server.scopes_supported), server.scopes_supported),
    ...(server.guessed === true && { guessed: true as const }),
  };
}

/** Without this scope many sign-in servers give nothing to renew a sign-in with. */
function withScopes(scopes: readonly string[] | null | undefined, known: readonly string[] | null | undefined) {
  if (!scopes) return {};
  const offline = known?.includes("offline_access") && !scopes.includes("offline_access");
  return { scopes: offline ? [...scopes, "offline_access"] : [...scopes] };
}

async function resourceMetadata(from: Discovery): Promise<v.InferOutput<typeof Resource> | undefined> {
  const { settings, challenge, name } = from;
  const look = name.details.metadata.protected_resource;
  const named = challenge?.resourceMetadata;
  const urls = [...(named ? [named] : []), ...resourceMetadataUrls(settings.url)];
  for (const url of new Set(urls)) {
    const found = await document(from, url, Resource, look);
    if (!found) continue;
    if (found.resource && !covers(found.resource, settings.url)) {
      look.error = `${shown(url)} is about another server (${shown(found.resource)})`;
      continue;
    }
    look.found = true;
    delete look.error;
    if (found.authorization_servers) look.authorization_servers = found.authorization_servers.slice(0, 10).map(shown);
    return found.authorization_servers?.length ? found : { ...found, authorization_servers: undefined };
  }
  return undefined;
}

/** @param own the server's own origin, where that counts */
async function serverMetadata(
  from: Discovery,
  issuers: readonly string[],
  own: string | undefined,
): Promise<v.InferOutput<typeof Server>> {
  const { settings, name } = from;
  const look = name.details.metadata.authorization_server;
  for (const issuer of issuers) {
    const wrong = unfit(issuer, settings.allow);
    if (wrong) look.error = `the sign-in server ${shown(issuer)} ${wrong}`;
    for (const url of wrong ? [] : serverMetadataUrls(new URL(issuer))) {
      const found = await document(from, url, Server, look);
      const fault = found && faultOf(found, issuer, own, settings.allow);
      if (fault) look.error = `${fault} (${url})`;
      if (!found || fault) continue;
      look.found = true;
      look.issuer = shown(found.issuer);
      delete look.error;
      return found;
    }
  }
  const { authorizationEndpoint, tokenEndpoint } = settings;
  if (authorizationEndpoint && tokenEndpoint)
    return {
      issuer: settings.issuer ?? new URL(authorizationEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
    };
  const absent = [look, name.details.metadata.protected_resource].every(({ error }) => /^HTTP 40\d /.test(error ?? ""));
  if (own !== undefined && absent) return usualPlaces(own);
  throw flowFault(
    "metadata_discovery_failed",
    name,
    `nothing usable says how to sign in to server "${name.server}"${look.error ? `: ${look.error}` : ""}`,
    suggestion(name, look),
  );
}

/** Where the first revision with sign-in has its endpoints when nothing says so. (MCP 2025-03-26) */
function usualPlaces(origin: string): v.InferOutput<typeof Server> {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    guessed: true,
  };
}

/** What keeps a sign-in server's metadata from being used. */
function faultOf(
  found: v.InferOutput<typeof Server>,
  issuer: string,
  own: string | undefined,
  allow: readonly string[],
): string | undefined {
  // Else one server could speak for another (RFC 8414 §3.3); what stands on a server's own origin is its own.
  const itself = own !== undefined && URL.canParse(found.issuer) && new URL(found.issuer).origin === own;
  if (!sameIssuer(found.issuer, issuer) && !itself) return `it is about another issuer, ${shown(found.issuer)}`;
  const { code_challenge_methods_supported: methods } = found;
  if (methods && !methods.includes("S256")) return "it does not support PKCE with S256";
  for (const key of ENDPOINTS) {
    const wrong = found[key] ? unfit(found[key], allow) : undefined;
    if (wrong) return `its ${key} ${wrong}`;
  }
  return undefined;
}

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"] as const;

export function suggestion({ server, details }: FlowName, look: Look): string {
  if (/address_refused|lies inside|may not be reached|inside this machine/.test(look.error ?? ""))
    return `if you trust that address, name it in outbound_allow, or as oauth.issuer of server "${server}"`;
  if (!details.metadata.protected_resource.found)
    return `check that the url of server "${server}" is right and that it asks for a sign-in at all; where its provider publishes no metadata, set oauth.issuer, or oauth.authorization_endpoint, oauth.token_endpoint and oauth.client_id`;
  return `ask the provider of server "${server}", or set oauth.issuer to the address of its sign-in server`;
}

/** One metadata document; undefined, with the reason noted, when it is none. */
async function document<S extends v.GenericSchema>(
  { dial, clock, settings, signal }: Discovery,
  url: string,
  schema: S,
  look: Look,
): Promise<v.InferOutput<S> | undefined> {
  look.urls_checked.push(shown(url));
  try {
    const ask = () =>
      dial.fetch(url, {
        signal,
        headers: { accept: "application/json" },
        timeoutMs: PATIENCE_MS,
        maxBytes: LARGEST,
        allow: settings.allow,
      });
    let answer = await ask();
    for (let tries = 0; answer.status === 429 && tries < BUSY_TRIES; tries++) {
      const seconds = Number(answer.headers.get("retry-after") ?? 1) || 0;
      await clock.sleep(Math.min(BUSY_MS, seconds * 1000), signal);
      answer = await ask();
    }
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
    const read = v.safeParse(schema, jsonOf(answer.text));
    if (read.success) return read.output;
    throw new Error(`${v.getDotPath(read.issues[0]) ?? "it"} is not as it should be`);
  } catch (error) {
    signal.throwIfAborted();
    // A path that does not exist says less than what went wrong elsewhere.
    if (!(look.error && /^HTTP 40\d$/.test(reasonOf(error))))
      look.error = error instanceof Fault ? error.message : `${reasonOf(error)} (${shown(url)})`;
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is no JSON");
  }
}

/** An address from outside, short and without what may be secret in it. */
function shown(text: string): string {
  const plain = URL.canParse(text) ? new URL(text).origin + new URL(text).pathname : text;
  return plain.slice(0, 200);
}
