import { lookup } from "node:dns/promises";
import { Fault } from "../fault.ts";
import { joinHost } from "../host-port.ts";
import { orAborted } from "../or-aborted.ts";
import { isAllowedDestination } from "./address.ts";

/**
 * Resolves the host of a connection that is not HTTP, and checks its address as the guarded fetch does. Connect to the
 * returned address: a second resolution could lead elsewhere.
 *
 * @param allow the internal hosts and networks that the configuration allows (`outbound_allow`)
 * @throws Fault address_refused for an internal address that is not allowed; the resolver's error
 */
export async function resolveAllowed(
  { host, port }: { host: string; port: number },
  allow: readonly string[],
  signal: AbortSignal,
): Promise<{ address: string; family: number }> {
  // The resolver of the system cannot be interrupted, but nobody has to wait for it.
  const found = await orAborted(lookup(host, { all: true }), signal);
  const allowed = found.find(({ address }) => isAllowedDestination(host, port, address, allow));
  if (allowed) return allowed;
  throw new Fault("address_refused", {
    url: joinHost(host, port),
    reason: `resolves to ${found[0]?.address ?? "no address"}`,
  });
}
