import { isHostListed, isLoopback, isLoopbackListener, parseHost, unmappedAddress } from "../../base/host-port.ts";
import { isProxy } from "./peer.ts";

export interface LocalFacts {
  /** Host and port of the listener; empty for requests in memory, which count as loopback. */
  listenAddr: string;
  /** Address of the socket's other end. */
  remote: string | undefined;
  /** The Host header. */
  host: string | undefined;
  /** The Origin header. */
  origin: string | undefined;
  /** `trusted_hosts` of the configuration. */
  trustedHosts: readonly string[];
  /** `trusted_proxies` of the configuration. */
  trustedProxies: readonly string[];
}

/**
 * True if a TCP request comes from a program on this machine, as far as can be determined: it arrived on a loopback
 * listener from a loopback address that is not a trusted proxy, it names this machine in Host, and no page of another
 * origin sent it. Forwarding headers are ignored: they never make a request local (spec 001 §5.3). Of the requests
 * without a credential, only local ones may manage servers.
 */
export function isLocal({ listenAddr, remote, host, origin, trustedHosts, trustedProxies }: LocalFacts): boolean {
  if (!isLoopbackListener(listenAddr) || remote === undefined) return false;
  const address = unmappedAddress(remote);
  if (!isLoopback(address) || isProxy(address, trustedProxies)) return false;
  if (!isLoopback(parseHost(host ?? "")?.host ?? "")) return false;
  return origin === undefined || isOwn(origin, host) || isTrustedOrigin(origin, trustedHosts);
}

/** True if `trusted_hosts` names the host of a page's origin. `*` names no host. */
export function isTrustedOrigin(origin: string, trustedHosts: readonly string[]): boolean {
  const found = /^(https?):\/\/([^/?#@\\]+)$/i.exec(origin);
  const at = found && parseHost(found[2]!);
  return at ? isHostListed(at.host, at.port ?? (found[1]!.toLowerCase() === "https" ? 443 : 80), trustedHosts) : false;
}

const isOwn = (origin: string, host: string | undefined) =>
  host !== undefined && /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase();
