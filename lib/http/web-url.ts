import { joinHost, parseHost } from "../base/net.ts";

/** An address to open on this machine for a listener's own; a listener on every interface is reached by loopback. */
export function webUrl(listenAddr: string): string {
  const { host, port = 80 } = parseHost(listenAddr) ?? { host: "127.0.0.1" };
  const everywhere = host === "0.0.0.0" || host === "::";
  return `http://${joinHost(everywhere ? "127.0.0.1" : host, port)}`;
}
