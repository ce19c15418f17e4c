import * as v from "valibot";
import { whereSuggestion } from "./advice.ts";
import { unfit } from "./allow.ts";
import { type Discovery, displayUrl, document } from "./document.ts";
import { flowFault } from "./flow-fault.ts";
import { type MetadataCheck, metadataCheck } from "./metadata-check.ts";
import type { Settings } from "./settings.ts";
import { sameIssuer, serverMetadataUrls } from "./well-known.ts";

const words = v.nullish(v.array(v.string()));
const Server = v.looseObject({
  issuer: v.string(),
  authorization_endpoint: v.nullish(v.string()),
  token_endpoint: v.string(),
  registration_endpoint: v.nullish(v.string()),
  revocation_endpoint: v.nullish(v.string()),
  scopes_supported: words,
  code_challenge_methods_supported: words,
  token_endpoint_auth_methods_supported: words,
  token_endpoint_auth_signing_alg_values_supported: words,
  authorization_response_iss_parameter_supported: v.nullish(v.boolean()),
  client_id_metadata_document_supported: v.nullish(v.boolean()),
});

/**
 * Reads the metadata of the first usable authorization server (RFC 8414, OpenID Connect). Without any, the configured
 * endpoints are used, or the default endpoints of protocol version 2025-03-26.
 *
 * @param ownOrigin the origin of the server, if it may be its own authorization server
 * @param resource the search for the metadata of the server itself
 * @throws Fault metadata_discovery_failed
 */
export async function serverMetadata(
  from: Discovery,
  issuers: readonly string[],
  ownOrigin: string | undefined,
  resource: MetadataCheck,
): Promise<v.InferOutput<typeof Server>> {
  const { settings, name } = from;
  const check = metadataCheck(name, "authorization_server");
  for (const issuer of issuers) {
    const wrong = unfit(issuer, settings.allow);
    if (wrong) check.report("unusable", `the sign-in server ${displayUrl(issuer)} ${wrong}`);
    for (const url of wrong ? [] : serverMetadataUrls(new URL(issuer))) {
      const found = await document(from, url, Server, check);
      const fault = found && faultOf(found, issuer, ownOrigin, settings);
      if (fault) check.report("unusable", `${url}: ${fault}`);
      if (!found || fault) continue;
      check.found();
      name.details.metadata.authorization_server.issuer = displayUrl(found.issuer);
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
  const isAbsent = check.problem === "absent" && resource.problem === "absent";
  if (ownOrigin !== undefined && isAbsent) return usualPlaces(ownOrigin);
  throw flowFault(
    "metadata_discovery_failed",
    name,
    `there is no usable metadata for signing in to server "${name.server}"${check.error ? `: ${check.error}` : ""}`,
    whereSuggestion(name, check.problem),
  );
}

/** The default endpoints of protocol version 2025-03-26, for servers without metadata. */
function usualPlaces(origin: string): v.InferOutput<typeof Server> {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    guessed: true,
  };
}

/** Why an authorization server's metadata cannot be used. */
function faultOf(
  found: v.InferOutput<typeof Server>,
  issuer: string,
  ownOrigin: string | undefined,
  { allow, grant }: Settings,
): string | undefined {
  // The issuer must match, or one server could impersonate another (RFC 8414 §3.3). Metadata on the server's own origin
  // is trusted.
  const itself = ownOrigin !== undefined && URL.canParse(found.issuer) && new URL(found.issuer).origin === ownOrigin;
  if (!sameIssuer(found.issuer, issuer) && !itself) return `it names another issuer, ${displayUrl(found.issuer)}`;
  const { code_challenge_methods_supported: methods } = found;
  if (grant === "authorization_code") {
    if ((found.authorization_endpoint ?? undefined) === undefined)
      return "its authorization_endpoint is missing or invalid";
    if (methods && !methods.includes("S256")) return "it does not support PKCE with S256";
  }
  for (const key of ENDPOINTS) {
    const endpoint = found[key];
    // An optional endpoint with an empty string counts as absent; a required one is rejected.
    if (endpoint === undefined || endpoint === null || (endpoint === "" && key in OPTIONAL)) continue;
    const wrong = endpoint === "" ? "is empty" : unfit(endpoint, allow);
    if (wrong) return `its ${key} ${wrong}`;
  }
  return undefined;
}

const OPTIONAL = { registration_endpoint: true, revocation_endpoint: true };
const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"] as const;
