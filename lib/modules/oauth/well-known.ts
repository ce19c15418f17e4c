/** Where metadata is looked for, as pure rules over addresses. */

/**
 * Addresses of a server's own metadata where it names none: by its path, then at its root (RFC 9728 §3.1; MCP).
 * A query is left out, since credentials may stand there.
 */
export function resourceMetadataUrls(server: URL): string[] {
  const base = `${server.origin}/.well-known/oauth-protected-resource`;
  const path = withoutSlash(server.pathname);
  return path === "" ? [base] : [base + path, base];
}

/** Addresses of a sign-in server's metadata, in the order of the MCP specification (RFC 8414 §3.1, OpenID Connect). */
export function serverMetadataUrls(issuer: URL): string[] {
  const path = withoutSlash(issuer.pathname);
  const at = (name: string) => `${issuer.origin}/.well-known/${name}${path}`;
  const both = [at("oauth-authorization-server"), at("openid-configuration")];
  return path === "" ? both : [...both, `${issuer.origin}${path}/.well-known/openid-configuration`];
}

/** The server as tokens name it (RFC 8707): its address without query, fragment and credentials. */
export function resourceOf(server: URL): string {
  return server.pathname === "/" ? server.origin : server.origin + server.pathname;
}

/** Whether metadata about `resource` is about `server`: the same origin, the same path or one above it. */
export function covers(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const named = new URL(resource);
  const above = withoutSlash(named.pathname);
  return named.origin === server.origin && `${withoutSlash(server.pathname)}/`.startsWith(`${above}/`);
}

/** Two spellings of one issuer: many are written now with, now without the slash of an empty path. */
export function sameIssuer(a: string, b: string): boolean {
  return withoutSlash(a) === withoutSlash(b);
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
