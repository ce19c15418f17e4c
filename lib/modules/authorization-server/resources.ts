import { mcpPath } from "../../core/api/mcp-path.ts";
import { schemeOf, webUrl } from "../../core/api/web-url.ts";
import type { App } from "../../core/app.ts";
import { isLoopback, parseHost } from "../../core/base/host-port.ts";
import { issuerOf } from "./settings.ts";

/** An MCP endpoint of this proxy. */
interface Resource {
  /** The profile that the endpoint is limited to. */
  readonly profile?: string;
}

/** The paths of MCP endpoints. Whether a profile exists is not checked here, so that nobody learns which do. */
const ENDPOINT = /^\/mcp(?:\/(?:all|call|code)|\/p\/([\w.~%-]{1,200})(?:\/(?:all|call|code))?)?\/?$/;

/**
 * Finds the endpoint that a resource indicator names (RFC 8707): at the issuer, or at another name of this machine, which
 * only programs on this machine can reach.
 *
 * @returns undefined if it names another service, for which this proxy must not issue tokens
 */
export function findResource(app: Pick<App, "config" | "boot">, indicator: string): Resource | undefined {
  if (!URL.canParse(indicator)) return undefined;
  const { origin, pathname, search, hash, username, password } = new URL(indicator);
  if (search || hash || username || password || !isOwnOrigin(app, origin)) return undefined;
  if (pathname === "/") return {};
  const found = ENDPOINT.exec(mcpPath(pathname));
  if (!found) return undefined;
  return found[1] === undefined ? {} : { profile: decoded(found[1]) };
}

/** True for the path of an MCP endpoint. */
export const isEndpoint = (path: string): boolean => ENDPOINT.test(mcpPath(path));

/**
 * Returns the origin that a client used, for the metadata that it compares with its own URL; the issuer, if the client
 * used a name that is not this proxy's.
 */
export function originFor(
  app: Pick<App, "config" | "boot">,
  { proto = "http", host }: { proto?: "http" | "https" | undefined; host?: string | undefined },
): string {
  const issuer = issuerOf(app);
  if (host === undefined || !parseHost(host)) return issuer;
  const { origin } = new URL(`${proto}://${host}`);
  return isOwnOrigin(app, origin) ? origin : issuer;
}

function isOwnOrigin(app: Pick<App, "config" | "boot">, origin: string): boolean {
  const issuer = issuerOf(app);
  if (origin === issuer) return true;
  const { hostname } = new URL(origin);
  const own = new URL(webUrl(app.boot.listenAddr, schemeOf(app.config.current())));
  own.hostname = hostname;
  return isLoopback(hostname.replace(/^\[(.*)\]$/, "$1")) && own.origin === origin;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
