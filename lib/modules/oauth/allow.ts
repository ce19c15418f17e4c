import { isHostListed, isLoopback, parseHost } from "../../core/base/host-port.ts";

/**
 * What may lie inside this machine's networks for the sign-in at one server: the server's own host, and hosts its
 * entry names. Whatever a server's metadata names beside them must lie outside, or be listed by the operator.
 *
 * On loopback only the same port counts, since other ports are other programs' and a server must not make the proxy
 * send requests to them. The names of this machine mean the same program there.
 *
 * @param outbound the configuration's `outbound_allow`; of it what names this machine
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
 * Why an endpoint that metadata names is not used; undefined when it is: codes and tokens travel by https, and in the
 * clear only to hosts that the configuration names.
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
