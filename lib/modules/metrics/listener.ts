import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkHost } from "../../core/api/authenticate/host.ts";
import { sameSecret } from "../../core/api/authenticate/identify.ts";
import { isLoopbackListener, joinHost, parseHost } from "../../core/base/host-port.ts";
import type { Logger } from "../../core/log/logger.ts";
import { METRICS_TYPE } from "./metrics-type.ts";

/** An open listener that serves only `/metrics`. */
export interface MetricsListener {
  /** Host and port. */
  readonly address: string;
  close(): Promise<void>;
}

interface MetricsListenerOptions {
  /** `host:port` or `:port`. */
  readonly address: string;
  /** The bearer token that requests must have; empty: none. */
  readonly token: string;
  readonly trustedHosts: readonly string[];
  text(): Promise<string>;
  readonly log: Logger;
}

/** Limits, so that slow clients occupy few resources. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 90_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 5000,
} as const;
const MAX_CONNECTIONS = 64;

/** @throws the error of the operating system if the address is in use or not permitted */
export async function openMetricsListener(options: MetricsListenerOptions): Promise<MetricsListener> {
  const { address, log } = options;
  const server = createServer(LIMITS, (req, res) => log.catch("serving metrics", answer(req, res, options)));
  server.maxConnections = MAX_CONNECTIONS;
  const { host, port } = parseHost(address.startsWith(":") ? `all${address}` : address) ?? {};
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.once("listening", done);
    if (address.startsWith(":")) server.listen(port);
    else server.listen(port, host === "localhost" ? "127.0.0.1" : host);
  });
  server.on("error", (error) => log.error("the listener for metrics failed", { reason: error.message }));
  const bound = server.address() as AddressInfo;
  return {
    address: joinHost(bound.address, bound.port),
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(req: IncomingMessage, res: ServerResponse, options: MetricsListenerOptions): Promise<void> {
  const refusal = refusalOf(req, options);
  if (refusal) return send(res, refusal[0], "text/plain; charset=utf-8", `${refusal[1]}\n`);
  try {
    send(res, 200, METRICS_TYPE, await options.text());
  } catch (error) {
    options.log.error("the metrics could not be read", { error });
    send(res, 500, "text/plain; charset=utf-8", "the metrics could not be read; the log of the proxy has the reason\n");
  }
}

/** Returns status and text if a request is rejected. */
function refusalOf(
  { method, url, headers }: IncomingMessage,
  { address, token, trustedHosts }: MetricsListenerOptions,
): readonly [status: number, text: string] | undefined {
  // Without a token, a web page in a browser on this machine must not read the metrics.
  if (isLoopbackListener(address)) {
    const verdict = checkHost({ host: headers.host, origin: headers.origin, trusted: trustedHosts });
    if (verdict !== "ok") return [403, verdict];
  }
  const sent = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  if (token !== "" && (sent === undefined || !sameSecret(sent, token)))
    return [401, "send the token metrics.token of the proxy's configuration as bearer token"];
  if (url?.split("?", 1)[0] !== "/metrics") return [404, "this listener serves only /metrics"];
  return method === "GET" || method === "HEAD" ? undefined : [405, "use GET"];
}

function send(res: ServerResponse, status: number, type: string, text: string): void {
  const headers: Record<string, string | number> = {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  if (status === 401) headers["WWW-Authenticate"] = 'Bearer realm="metrics"';
  if (status === 405) headers.Allow = "GET, HEAD";
  res.writeHead(status, headers).end(text);
}
