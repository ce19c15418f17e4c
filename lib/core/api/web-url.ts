import { joinHost, parseHost } from "../base/host-port.ts";

/** An address to open on this machine for a listener's own; a listener on every interface is reached by loopback. */
export function webUrl(listenAddr: string, scheme: "http" | "https" = "http"): string {
  const { host, port = 80 } = parseHost(listenAddr) ?? { host: "127.0.0.1" };
  const everywhere = host === "0.0.0.0" || host === "::";
  return `${scheme}://${joinHost(everywhere ? "127.0.0.1" : host, port)}`;
}

/** What the HTTP listener speaks. */
export const schemeOf = ({ tls }: { tls: { enabled: boolean } }): "http" | "https" => (tls.enabled ? "https" : "http");
