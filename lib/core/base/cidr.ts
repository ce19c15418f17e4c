import { BlockList, isIP } from "node:net";

/**
 * True for an IP address or a CIDR such as `10.0.0.0/8` or `fd00::/8`. False for host names and addresses with a zone.
 */
export function isCidr(text: string): boolean {
  return split(text) !== undefined;
}

/**
 * Returns a function that says whether an address is in one of the networks or equals one of the addresses. IPv4
 * addresses written as IPv6 (`::ffff:10.0.0.1`) count as IPv4. Invalid entries are ignored, because the configuration
 * is rejected earlier if it contains one.
 */
export function cidrSet(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const parts = split(entry);
    if (parts) list.addSubnet(parts.address, parts.prefix, parts.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
  };
}

function split(text: string): { address: string; prefix: number; family: "ipv4" | "ipv6" } | undefined {
  const slash = text.indexOf("/");
  const address = slash < 0 ? text : text.slice(0, slash);
  const version = address.includes("%") ? 0 : isIP(address);
  if (version === 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  const length = slash < 0 ? String(bits) : text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > bits) return undefined;
  return { address, prefix: Number(length), family: version === 4 ? "ipv4" : "ipv6" };
}
