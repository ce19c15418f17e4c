import { isIP } from "node:net";
import { cidrSet, isCidr } from "../cidr.ts";
import { isHostListed } from "../host-port.ts";
import { lazy } from "../lazy.ts";

/** Networks that are not globally reachable (RFC 6890 and its registries), and tunnels that can lead into them. */
const inward = lazy(() =>
  cidrSet([
    ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(
      " ",
    ),
    ..."192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split(" "),
    // A public address that serves the credentials of one cloud's machines.
    "168.63.129.16/32",
    ..."::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/64 2001::/32 2001:2::/48 2001:10::/28 2001:20::/28 2001:db8::/32".split(
      " ",
    ),
    ..."2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8".split(" "),
  ]),
);

/** The NAT64 prefix: the last 32 bits of an address with this prefix are the IPv4 address of the host. */
const translated = lazy(() => cidrSet(["64:ff9b::/96"]));

/** True for an address of this machine, of a private network, or of a cloud's metadata service. */
export function isInternalAddress(address: string): boolean {
  if (isIP(address) === 0 || inward()(address)) return true;
  return translated()(address) && inward()(lastFour(address));
}

/**
 * Decides whether the proxy may connect to `address`, to which `host` resolves. A public address is allowed. An
 * internal one is allowed if the configuration names the host (`registry.internal`, `.internal`, `localhost:8080`) or a
 * network that contains the address (`10.1.0.0/16`).
 */
export function isAllowedDestination(host: string, port: number, address: string, allow: readonly string[]): boolean {
  if (!isInternalAddress(address)) return true;
  const networks = allow.filter(isCidr);
  return (
    cidrSet(networks)(address) ||
    isHostListed(
      host,
      port,
      allow.filter((entry) => !networks.includes(entry)),
    )
  );
}

function lastFour(address: string): string {
  const dotted = /(?:\d+\.){3}\d+$/.exec(address)?.[0];
  if (dotted) return dotted;
  // The prefix ends in zeros, so `::` stands before the last two groups or replaces them.
  const [high = "", low = ""] = `:0:0:${address.slice(address.lastIndexOf("::") + 2)}`.split(":").slice(-2);
  const [a, b] = [Number.parseInt(high || "0", 16), Number.parseInt(low || "0", 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}
