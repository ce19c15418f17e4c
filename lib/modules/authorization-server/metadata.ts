import { mcpPath } from "../../core/api/mcp-path.ts";
import type { App } from "../../core/app.ts";
import { isEndpoint, originFor } from "./resources.ts";
import { SCOPES } from "./scopes.ts";
import { acceptsAssertions, issuerOf, oauthSettings } from "./settings.ts";

/** The paths of the endpoints of the authorization server. */
export const ROUTES = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
} as const;

/** The grant type of assertions (RFC 7523 §2.1). */
export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** How a client can get the answer. */
export const RESPONSE_MODES: readonly string[] = ["query", "fragment"];

/** How clients authenticate at the token endpoint. */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

/** Returns the metadata of the authorization server (RFC 8414). */
export function serverMetadata(app: Pick<App, "config" | "boot">) {
  const issuer = issuerOf(app);
  const isByAssertion = acceptsAssertions(app);
  return {
    issuer,
    authorization_endpoint: issuer + ROUTES.authorization,
    token_endpoint: issuer + ROUTES.token,
    ...(oauthSettings(app).dynamic_registration && { registration_endpoint: issuer + ROUTES.registration }),
    revocation_endpoint: issuer + ROUTES.revocation,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: ["authorization_code", "refresh_token", ...(isByAssertion ? [JWT_BEARER] : [])],
    ...(isByAssertion && { authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"] }),
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ["ES256", "RS256", "PS256", "EdDSA"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** How a client addressed this proxy. */
interface Addressed {
  readonly proto?: "http" | "https" | undefined;
  readonly host?: string | undefined;
}

/**
 * Returns the metadata of an MCP endpoint (RFC 9728).
 *
 * @param path of the endpoint, after `/.well-known/oauth-protected-resource`; empty for `/mcp`
 * @returns undefined if no MCP endpoint can have this path
 */
export function resourceMetadata(app: Pick<App, "config" | "boot">, addressed: Addressed, path: string) {
  const endpoint = path === "" || path === "/" ? "/mcp" : path;
  if (!isEndpoint(endpoint)) return undefined;
  return {
    resource: originFor(app, addressed) + endpoint,
    authorization_servers: [issuerOf(app)],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "proxy",
  };
}

/** Returns the URL of an MCP endpoint's metadata (RFC 9728 §3.1). */
export function resourceMetadataUrl(app: Pick<App, "config" | "boot">, addressed: Addressed, path: string): string {
  const endpoint = mcpPath(path).replace(/\/$/, "");
  return `${originFor(app, addressed)}/.well-known/oauth-protected-resource${isEndpoint(endpoint) ? endpoint : "/mcp"}`;
}
