import { isHostListed, isLoopback, parseHost } from "../../core/base/host-port.ts";

/**
 * Hosts in internal networks that the sign-in at one server may contact: the server's own host, and hosts that its
 * entry names. Any other host in the server's metadata must be public, or be listed by the operator.
 *
 * On loopback only the same port is allowed, because other ports belong to other programs, and a server must not make
 * the proxy send requests to them. All loopback names of this machine are equivalent.
 *
 * @param outbound the configuration's `outbound_allow`; only its entries for this machine are used
 */
export function allowFor(
  server: URL,
  named: readonly (string | undefined)[],
  outbound: readonly string[] = [],
): string[] {
  const urls = [server, ...named.flatMap((text) => (text !== undefined && URL.canParse(text) ? [new URL(text)] : []))];
  const own = urls.flatMap((url) =>
    isLoopback(hostOf(url)) ? namesOf(url).map((host) => `${host}:${portOf(url)}`) : [url.hostname],
  );
  return [...new Set([...own, ...outbound.filter((entry) => isLoopback(parseHost(entry)?.host ?? ""))])];
}

const THIS_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

const namesOf = ({ hostname }: URL) => (THIS_MACHINE.includes(hostname) ? THIS_MACHINE : [hostname]);

/**
 * Why an endpoint in metadata is rejected; undefined if it is accepted. Codes and tokens are sent by HTTPS, and by
 * plain HTTP only to hosts that the configuration names.
 */
export function unfit(endpoint: string, allow: readonly string[]): string | undefined {
  if (!URL.canParse(endpoint)) return "is not a valid URL";
  const url = new URL(endpoint);
  if (url.username || url.password) return "contains a user name or password";
  if (url.hash) return "has a fragment";
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:") return `has the scheme ${url.protocol}`;
  return isHostListed(hostOf(url), portOf(url), allow) ? undefined : notHttps(url);
}

function notHttps(url: URL): string {
  if (!isLoopback(hostOf(url))) return "is not https";
  return `is another program on this machine; to allow it, add ${url.host} to outbound_allow`;
}

const portOf = (url: URL) => Number(url.port || (url.protocol === "https:" ? 443 : 80));

const hostOf = (url: URL) => parseHost(url.hostname)?.host ?? url.hostname;
