import type { ServerConfig } from "./config.ts";

/**
 * Whether a server is a program of this machine that is spoken to by HTTP: it has a command, which is started, and a
 * url, at which it then listens (reference 4.2). `protocol: stdio` says that the url means nothing.
 */
export function isLaunchedHttpServer({
  command,
  url,
  protocol,
}: Pick<ServerConfig, "command" | "url" | "protocol">): boolean {
  return Boolean(command && url) && protocol !== "stdio";
}
