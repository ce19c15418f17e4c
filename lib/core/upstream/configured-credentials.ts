import type { ServerConfig } from "../config/config-keys.ts";

/** True if the server's entry contains credentials. No sign-in is tried then. (reference 6.1) */
export function hasConfiguredCredentials(server: Pick<ServerConfig, "headers">, url: URL): boolean {
  return url.username !== "" || configuredAuthorization(server) !== undefined;
}

/** Returns the name of the entry's Authorization header, as it is written there; undefined if there is none. */
export const configuredAuthorization = ({ headers = {} }: Pick<ServerConfig, "headers">) =>
  Object.keys(headers).find((name) => name.toLowerCase() === "authorization");
