/** The well-known URLs of metadata documents. Pure functions. */

/**
 * URLs of a server's own metadata if the server names none: by its path, then at its root (RFC 9728 §3.1; MCP). The
 * query is removed, because it can contain credentials.
 */
export function resourceMetadataUrls(server: URL): string[] {
  const base = `${server.origin}/.well-known/oauth-protected-resource`;
  const path = withoutSlash(server.pathname);
  return path === "" ? [base] : [base + path, base];
}

/**
 * URLs of an authorization server's metadata, in the order of the MCP specification (RFC 8414 §3.1, OpenID Connect).
 */
export function serverMetadataUrls(issuer: URL): string[] {
  const path = withoutSlash(issuer.pathname);
  const at = (name: string) => `${issuer.origin}/.well-known/${name}${path}`;
  const both = [at("oauth-authorization-server"), at("openid-configuration")];
  return path === "" ? both : [...both, `${issuer.origin}${path}/.well-known/openid-configuration`];
}

/** The resource identifier of a server (RFC 8707): its URL without query, fragment and credentials. */
export function resourceOf(server: URL): string {
  return server.pathname === "/" ? server.origin : server.origin + server.pathname;
}

/** Whether metadata about `resource` applies to `server`: the same origin, and the same path or a parent. */
export function metadataApplies(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const named = new URL(resource);
  const above = withoutSlash(named.pathname);
  return named.origin === server.origin && `${withoutSlash(server.pathname)}/`.startsWith(`${above}/`);
}

/** Whether two issuers are equal; many servers are inconsistent about the trailing slash of an empty path. */
export function sameIssuer(a: string, b: string): boolean {
  return withoutSlash(a) === withoutSlash(b);
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
