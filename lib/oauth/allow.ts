import { hostListed, isLoopback, parseHost } from "../base/net.ts";

/**
 * What may lie inside this machine's networks for the sign-in at one server: the server's own host, and hosts its
 * entry names. Whatever a server's metadata names beside them must lie outside.
 */
export function allowFor(server: URL, named: readonly (string | undefined)[]): string[] {
  const urls = [server, ...named.flatMap((text) => (text !== undefined && URL.canParse(text) ? [new URL(text)] : []))];
  return [...new Set(urls.flatMap((url) => (isLoopback(hostOf(url)) ? THIS_MACHINE : [url.hostname])))];
}

const THIS_MACHINE = ["localhost", "127.0.0.1", "::1"];

/**
 * Why an endpoint that metadata names is not used; undefined when it is: codes and tokens travel by https, and in the
 * clear only to hosts that the configuration names.
 */
export function unfit(endpoint: string, allow: readonly string[]): string | undefined {
  if (!URL.canParse(endpoint)) return "is no address";
  const url = new URL(endpoint);
  if (url.username || url.password) return "holds a user name or password";
  if (url.hash) return "has a fragment";
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:") return `has the scheme ${url.protocol}`;
  return hostListed(hostOf(url), Number(url.port || 80), allow) ? undefined : "is not https";
}

const hostOf = (url: URL) => parseHost(url.hostname)?.host ?? url.hostname;
