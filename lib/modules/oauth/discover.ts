import type { Authority } from "./credentials.ts";
import type { Discovery } from "./document.ts";
import { metadataCheck } from "./metadata-check.ts";
import { resourceMetadata } from "./resource-metadata.ts";
import { serverMetadata } from "./server-metadata.ts";
import { resourceOf } from "./well-known.ts";

/** Maximum number of authorization servers that are tried for one server. */
const MAX_ISSUERS = 3;

/**
 * Discovers the authorization server of an upstream server: reads the server's own metadata (RFC 9728), then that of
 * the authorization server that it names (RFC 8414, OpenID Connect). A server without metadata may be its own
 * authorization server (MCP 2025-03-26).
 *
 * @throws Fault metadata_discovery_failed
 */
export async function discover(from: Discovery): Promise<Authority> {
  const { settings, challenge, name } = from;
  const check = metadataCheck(name, "protected_resource");
  const resource = await resourceMetadata(from, check);
  const issuers = settings.issuer
    ? [settings.issuer]
    : (resource?.authorization_servers ?? [settings.url.origin]).slice(0, MAX_ISSUERS);
  // In protocol version 2025-03-26, a server is its own authorization server.
  const ownOrigin = resource === undefined && !settings.issuer ? settings.url.origin : undefined;
  const server = await serverMetadata(from, issuers, ownOrigin, check);
  const scopes = challenge?.scope?.split(" ").filter(Boolean) ?? resource?.scopes_supported;
  return {
    server_url: resourceOf(settings.url),
    issuer: server.issuer,
    ...withAuthorizationEndpoint(settings.authorizationEndpoint ?? server.authorization_endpoint),
    token_endpoint: settings.tokenEndpoint ?? server.token_endpoint,
    ...(server.registration_endpoint && { registration_endpoint: server.registration_endpoint }),
    ...(server.revocation_endpoint && { revocation_endpoint: server.revocation_endpoint }),
    ...(server.authorization_response_iss_parameter_supported && { iss_expected: true }),
    ...(server.client_id_metadata_document_supported && { takes_metadata_url: true as const }),
    ...(server.token_endpoint_auth_methods_supported && { auth_methods: server.token_endpoint_auth_methods_supported }),
    ...(server.token_endpoint_auth_signing_alg_values_supported && {
      signing_algs: server.token_endpoint_auth_signing_alg_values_supported,
    }),
    resource: resource?.resource ?? resourceOf(settings.url),
    // All scopes of a shared authorization server would be far more than needed.
    ...withScopes(scopes ?? (ownOrigin === undefined ? undefined : server.scopes_supported), server.scopes_supported),
    ...(server.guessed === true && { guessed: true as const }),
  };
}

const withAuthorizationEndpoint = (endpoint: string | null | undefined) =>
  endpoint ? { authorization_endpoint: endpoint } : {};

/** Adds `offline_access`, without which many authorization servers issue no refresh token. */
function withScopes(scopes: readonly string[] | null | undefined, supported: readonly string[] | null | undefined) {
  if (!scopes) return {};
  const offline = supported?.includes("offline_access") && !scopes.includes("offline_access");
  return { scopes: offline ? [...scopes, "offline_access"] : [...scopes] };
}
