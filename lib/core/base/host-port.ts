import { isIP } from "node:net";

/** A host name or address with its port, as in a Host header or a listen address. */
export interface HostPort {
  /** Lower case; an IPv6 address without its brackets. */
  host: string;
  /** Absent when none was written. */
  port?: number;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i;

/** Splits `host`, `host:port`, `[::1]:port`; undefined for anything else, a user name or path included. */
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

/** Whether a listener's address is reached from this machine alone; an empty one (in memory) counts as that. */
export function isLoopbackListener(listenAddr: string): boolean {
  return listenAddr === "" || isLoopback(parseHost(listenAddr)?.host ?? "");
}

/** An IPv4 address that a dual-stack socket reports as IPv6 (`::ffff:10.0.0.1`) in its own form. */
export function unmappedAddress(address: string): string {
  const four = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return four ?? address.toLowerCase();
}

/**
 * True when one of `entries` names the host: without a port it fits every port, with one that port alone; a leading dot
 * fits the domain and all below it (spec 001 §5.2).
 *
 * @param port of the request; the scheme's own when none was written
 */
export function isHostListed(host: string, port: number, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    const domain = entry.startsWith(".");
    const wanted = parseHost(domain ? entry.slice(1) : entry) ?? bareSix(entry);
    if (!wanted || (wanted.port !== undefined && wanted.port !== port)) return false;
    return host === wanted.host || (domain && host.endsWith(`.${wanted.host}`));
  });
}

/** People write `::1` without the brackets too. */
function bareSix(entry: string): HostPort | undefined {
  return isIP(entry) === 6 ? { host: entry.toLowerCase() } : undefined;
}

/** `host:port` as it stands in a URL. */
export function joinHost(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
