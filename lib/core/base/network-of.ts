/**
 * Returns the network of an address, as a key for limits: for IPv6 the first 64 bits, because one host usually has all
 * addresses of the network; an IPv4 address itself.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}
