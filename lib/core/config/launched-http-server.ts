import type { ServerConfig } from "./config-keys.ts";

/**
 * True if the proxy starts the server as a local program but connects to it over HTTP: it has a command to start, and a
 * url at which it then listens (reference 4.2). With `protocol: stdio` the url is ignored.
 */
export function isLaunchedHttpServer({
  command,
  url,
  protocol,
}: Pick<ServerConfig, "command" | "url" | "protocol">): boolean {
  return Boolean(command && url) && protocol !== "stdio";
}
