import { isHostListed, isLoopback, parseHost } from "../../base/host-port.ts";

interface HostCheck {
  /** The Host header. */
  host: string | undefined;
  /** The Origin header. */
  origin: string | undefined;
  /** `trusted_hosts` of the configuration. */
  trusted: readonly string[];
  /** The default port of the scheme, for a Host without a port. */
  port?: number;
}

type HostVerdict = "ok" | "Forbidden: invalid Host header" | "Forbidden: invalid Origin header";

/**
 * Protects a loopback listener against DNS rebinding: if a web page makes its own name resolve to this machine, its
 * requests still contain that name in Host and Origin (spec 001 §5.2). For loopback listeners only, never for sockets.
 */
export function checkHost({ host, origin, trusted, port = 80 }: HostCheck): HostVerdict {
  if (trusted.includes("*")) return "ok";
  if (host === undefined || !accepted(host, port, trusted)) return "Forbidden: invalid Host header";
  if (origin !== undefined && !originListed(origin, trusted)) return "Forbidden: invalid Origin header";
  return "ok";
}

/** True if a page of this origin belongs to this machine or to a host that the operator named. `*` names no host. */
function originListed(origin: string, trusted: readonly string[]): boolean {
  const found = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@\\]+)$/i.exec(origin);
  if (!found) return false;
  return accepted(found[2]!, found[1]!.toLowerCase() === "https" ? 443 : 80, trusted);
}

/**
 * The usual names of this machine with a port that is certainly valid. The check of each request makes no objects for
 * them.
 */
const USUAL = /^(?:127\.0\.0\.1|localhost)(?::[0-5]?\d{1,4})?$/;

function accepted(text: string, defaultPort: number, trusted: readonly string[]): boolean {
  if (USUAL.test(text)) return true;
  const parsed = parseHost(text);
  return (
    parsed !== undefined && (isLoopback(parsed.host) || isHostListed(parsed.host, parsed.port ?? defaultPort, trusted))
  );
}
