import { joinHost, parseHost } from "../base/host-port.ts";

/** Returns a URL at which this machine can open a listener. If it listens on all interfaces, the URL uses loopback. */
export function webUrl(listenAddr: string, scheme: "http" | "https" = "http"): string {
  const { host, port = 80 } = parseHost(listenAddr) ?? { host: "127.0.0.1" };
  const everywhere = host === "0.0.0.0" || host === "::";
  return `${scheme}://${joinHost(everywhere ? "127.0.0.1" : host, port)}`;
}

/** Returns the scheme of the HTTP listener. */
export const schemeOf = ({ tls }: { tls: { enabled: boolean } }): "http" | "https" => (tls.enabled ? "https" : "http");
