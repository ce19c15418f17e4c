import type { Context } from "hono";
import type { App } from "../app.ts";
import { parseHost } from "../base/host-port.ts";
import type { AuthenticationResult } from "./authenticate/authenticate.ts";
import { schemeOf, webUrl } from "./web-url.ts";

/**
 * Returns scheme, host and port that the client used: as a trusted reverse proxy reports them, otherwise from listener
 * and Host header (spec 001 §5.3).
 */
export function baseUrl(c: Context, app: Pick<App, "boot" | "config">): string {
  const { proto = "http", host } = (c.env as { admission: AuthenticationResult }).admission;
  const asked = host ?? c.req.header("host") ?? new URL(c.req.url).host;
  return parseHost(asked) ? `${proto}://${asked}` : webUrl(app.boot.listenAddr, schemeOf(app.config.current()));
}
