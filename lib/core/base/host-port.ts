import { isIP } from "node:net";

/** A host name or address with its port, as in a Host header or a listen address. */
export interface HostPort {
  /** In lower case; an IPv6 address without its brackets. */
  host: string;
  /** Absent if the text names no port. */
  port?: number;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i;

/**
 * Splits `host`, `host:port` and `[::1]:port`. Undefined for anything else, such as a text with a user name or a path.
 */
export function parseHost(text: string): HostPort | undefined {
  const found = HOST.exec(text);
  if (!found) return undefined;
  const [, six, name, port] = found;
  if (six !== undefined && isIP(six) !== 6) return undefined;
  if (port !== undefined && Number(port) > 65_535) return undefined;
  const host = (six ?? name)!.toLowerCase();
  return port === undefined ? { host } : { host, port: Number(port) };
}

/** True for `localhost` and the loopback addresses of both families. */
export function isLoopback(host: string): boolean {
  const plain = unmappedAddress(host);
  if (isIP(plain) === 4) return plain.startsWith("127.");
  return plain === "localhost" || plain === "::1" || plain === "0:0:0:0:0:0:0:1";
}

/** True if a listener can be reached from this machine only. An empty address (a listener in memory) counts as such. */
export function isLoopbackListener(listenAddr: string): boolean {
  // The usual address is recognised without objects, because every request asks.
  if (/^(?:127\.0\.0\.1|localhost):\d{1,5}$/.test(listenAddr)) return true;
  return listenAddr === "" || isLoopback(parseHost(listenAddr)?.host ?? "");
}

/**
 * Returns the IPv4 address of one that a dual-stack socket reports as IPv6 (`::ffff:10.0.0.1`), any other unchanged.
 */
export function unmappedAddress(address: string): string {
  const four = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return four ?? address.toLowerCase();
}

/**
 * True if one of `entries` names the host. An entry without a port matches every port. An entry with a leading dot
 * matches the domain and all its subdomains (spec 001 §5.2).
 *
 * @param port the port of the request, or the default port of its scheme
 */
export function isHostListed(host: string, port: number, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    const domain = entry.startsWith(".");
    const allowedHost = parseHost(domain ? entry.slice(1) : entry) ?? bareSix(entry);
    if (!allowedHost || (allowedHost.port !== undefined && allowedHost.port !== port)) return false;
    return host === allowedHost.host || (domain && host.endsWith(`.${allowedHost.host}`));
  });
}

/** Accepts an IPv6 address without brackets, as people often write it. */
function bareSix(entry: string): HostPort | undefined {
  return isIP(entry) === 6 ? { host: entry.toLowerCase() } : undefined;
}

/** Joins host and port as in a URL. */
export function joinHost(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
