import type { ServerConfig } from "../config/config-keys.ts";

/** Whether the entry itself holds what is shown to the server; signing in is not tried then. (reference 6.1) */
export function hasConfiguredCredentials(server: Pick<ServerConfig, "headers">, url: URL): boolean {
  return url.username !== "" || configuredAuthorization(server) !== undefined;
}

/** The Authorization header of an entry, by the name that it has there. */
export const configuredAuthorization = ({ headers = {} }: Pick<ServerConfig, "headers">) =>
  Object.keys(headers).find((name) => name.toLowerCase() === "authorization");
