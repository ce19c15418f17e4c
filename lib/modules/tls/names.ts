import { isIP } from "node:net";
import { hostname } from "node:os";
import { parseHost } from "../../core/base/host-port.ts";
import type { Config } from "../../core/config/config-keys.ts";

/** The configuration members that determine the proxy's names. */
export type Named = Pick<Config, "listen" | "trusted_hosts" | "server_edition">;

/**
 * The host names and addresses in the certificate: loopback, the host of `listen`, that of `public_url`, and every host
 * of `trusted_hosts`. For a listener on all interfaces, also the machine's name.
 *
 * @returns in lower case, sorted, without duplicates; `*.domain` for an entry `.domain`
 */
export function certificateNames(config: Named, machine = hostname()): string[] {
  const names = new Set(LOOPBACK);
  const add = (host: string) => {
    if (isIP(host) || NAME.test(host)) names.add(host);
  };
  const { listen, trusted_hosts, server_edition } = config;
  const host = listen.startsWith(":") ? "0.0.0.0" : (parseHost(listen)?.host ?? "");
  add(EVERYWHERE.has(host) ? machine.toLowerCase() : host);
  if (server_edition?.public_url && URL.canParse(server_edition.public_url))
    add(new URL(server_edition.public_url).hostname.replace(/^\[(.*)\]$/, "$1"));
  for (const entry of trusted_hosts) {
    const domain = entry.startsWith(".") ? entry.slice(1) : entry;
    const named = isIP(domain) ? domain.toLowerCase() : (parseHost(domain)?.host ?? "");
    add(named);
    if (entry.startsWith(".")) add(`*.${named}`);
  }
  return [...names].sort();
}

const LOOPBACK = ["localhost", "127.0.0.1", "::1"];
const EVERYWHERE = new Set(["0.0.0.0", "::"]);
/** A valid DNS name for a certificate. */
const NAME = /^(?:\*\.)?(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;
