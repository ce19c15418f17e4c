import { isIP } from "node:net";
import { cidrSet } from "../../base/cidr.ts";
import { parseHost, unmappedAddress } from "../../base/host-port.ts";

interface PeerFacts {
  /** Address of the socket's other end; absent on a local socket. */
  remote: string | undefined;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /** `trusted_proxies` of the configuration. */
  trusted: readonly string[];
  /** True if the proxy's own listener uses TLS. */
  byTls?: boolean;
}

/** The client behind trusted reverse proxies. This information grants no permissions. */
interface Peer {
  clientIp?: string;
  /**
   * Scheme and host that the client used, if a trusted reverse proxy reports them; otherwise the scheme of a TLS
   * listener.
   */
  proto?: "http" | "https";
  host?: string;
}

/**
 * Reads forwarding headers if the peer is in `trusted_proxies`; otherwise the peer itself is the client (spec 001
 * §5.3). The client is the right-most hop in `X-Forwarded-For` that is not a trusted proxy, otherwise `X-Real-IP`.
 */
export function peerOf({ remote, header, trusted, byTls = false }: PeerFacts): Peer {
  if (remote === undefined) return {};
  const address = unmappedAddress(remote);
  const itself: Peer = { clientIp: address, ...(byTls && { proto: "https" }) };
  if (trusted.length === 0) return itself;
  if (!isProxy(address, trusted)) return itself;
  const proxies = setOf(trusted);
  const said = first(header("x-forwarded-proto"))?.toLowerCase();
  const proto = said === "http" || said === "https" ? said : itself.proto;
  const host = first(header("x-forwarded-host"));
  return {
    clientIp: hopBefore(header("x-forwarded-for"), proxies) ?? addressOf(header("x-real-ip")) ?? address,
    ...(proto && { proto }),
    ...(host !== undefined && parseHost(host) && { host }),
  };
}

/** True if an address is in `trusted_proxies`. */
export function isProxy(address: string, trusted: readonly string[]): boolean {
  return trusted.length > 0 && setOf(trusted)(address);
}

/**
 * Returns the right-most hop that is not a trusted proxy. The search ends at a hop that is not an address, because hops
 * to its left cannot be trusted.
 */
function hopBefore(forwardedFor: string | undefined, proxies: (address: string) => boolean): string | undefined {
  for (const hop of (forwardedFor ?? "").split(",").reverse()) {
    const address = addressOf(hop);
    if (address === undefined) return undefined;
    if (!proxies(address)) return address;
  }
  return undefined;
}

/** Parses an address with or without port or brackets. */
function addressOf(text: string | undefined): string | undefined {
  const bare = text?.trim() ?? "";
  const address = unmappedAddress(isIP(bare) ? bare : (parseHost(bare)?.host ?? ""));
  return isIP(address) ? address : undefined;
}

function first(list: string | undefined): string | undefined {
  return list?.split(",", 1)[0]?.trim() || undefined;
}

const sets = new WeakMap<readonly string[], (address: string) => boolean>();

/** Returns the compiled list. The configuration is replaced as a whole, so each list is compiled once. */
function setOf(trusted: readonly string[]): (address: string) => boolean {
  let set = sets.get(trusted);
  if (!set) {
    set = cidrSet(trusted);
    sets.set(trusted, set);
  }
  return set;
}
