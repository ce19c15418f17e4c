import { Agent, type IncomingMessage, request as plain, type RequestOptions } from "node:http";
import { Fault, reasonOf } from "../core/base/fault.ts";
import type { Trust } from "./trust.ts";

/** The address of a proxy: its local socket (or named pipe), or a URL with the key. */
export type ProxyTarget = { socketPath: string } | { url: URL; key?: string; trust?: Trust };

/** One HTTP request. */
interface ClientRequest {
  method: string;
  /** Path and query, encoded. */
  path: string;
  headers: Readonly<Record<string, string | number>>;
  body?: string | undefined;
  signal: AbortSignal;
  /** Keeps connections open for further requests; absent: the request gets a new one. */
  agent?: Agent | undefined;
}

/** Connections that wait for further requests. */
const MAX_IDLE_CONNECTIONS = 4;

/** Keeps connections to a proxy open between requests; whoever uses it destroys it. */
export async function keepAliveAgent(to: ProxyTarget): Promise<Agent> {
  const options = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS };
  if (!("url" in to) || to.url.protocol !== "https:") return new Agent(options);
  const https = await import("node:https");
  return new https.Agent(options);
}

/**
 * Sends one request and returns when the response starts.
 *
 * @throws Fault daemon_not_running, daemon_unreachable, invalid_args if a configured certificate does not exist
 */
export async function openRequest(
  to: ProxyTarget,
  { method, path, headers, body, signal, agent }: ClientRequest,
): Promise<IncomingMessage> {
  const url = new URL("url" in to ? to.url : "http://localhost");
  const options: RequestOptions = {
    // Without an agent no connection remains open after the response, so that a command can end.
    agent: agent ?? false,
    method,
    path: url.pathname.replace(/\/$/, "") + path,
    signal,
    headers: { ...headers, ...("key" in to && to.key !== undefined && { "x-api-key": to.key }) },
    ...("socketPath" in to ? { socketPath: to.socketPath } : { host: hostOf(url), port: url.port }),
  };
  const [request, secure] = url.protocol === "https:" ? await byTls(to) : [plain, {}];
  return new Promise((done, fail) => {
    const sent = request({ ...options, ...secure }, done);
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) fail(error);
      // The proxy had closed the kept connection, so it did not get the whole request.
      else if (sent.reusedSocket && error.code === "EPIPE") fail(notRunning(to, error));
      else fail(unreachable(to, error));
    });
    sent.end(body);
  });
}

/** Certificates are always verified; only the trusted authorities differ. */
async function byTls(to: ProxyTarget) {
  const [{ request }, { tlsOptions }] = await Promise.all([import("node:https"), import("./trust.ts")]);
  return [request, "trust" in to && to.trust ? await tlsOptions(to.trust) : {}] as const;
}

/** A socket address contains an IPv6 host without brackets. */
const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** Converts a connection error to a fault with its remedy. */
export function unreachable(to: ProxyTarget, error: unknown): Fault {
  const where = whereOf(to);
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ECONNREFUSED") return notRunning(to, error);
  const reason = (code !== undefined && TLS_REASONS[code]) || reasonOf(error) || String(code);
  return new Fault("daemon_unreachable", { where, reason: reason + plainHint(to, code) }, { cause: error });
}

function notRunning(to: ProxyTarget, cause: unknown): Fault {
  return new Fault("daemon_not_running", { where: whereOf(to) }, { cause });
}

const whereOf = (to: ProxyTarget) => ("url" in to ? to.url.origin : to.socketPath);

const UNKNOWN_AUTHORITY =
  "this machine does not trust its certificate; set SERVICE_CA_CERT to the file of the proxy's authority (ca.pem)";
const NO_CLIENT =
  "it requires a client certificate; create one on its machine (proxy client-cert) and set SERVICE_CLIENT_CERT and SERVICE_CLIENT_KEY to its files";
const TLS_REASONS: Record<string, string> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: NO_CLIENT,
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not use TLS; use an http: address",
};

/** A TLS server closes a plain connection without a message, so the fault suggests https. */
function plainHint(to: ProxyTarget, code: string | undefined): string {
  return "url" in to && to.url.protocol === "http:" && code === "ECONNRESET"
    ? "; if it uses TLS, use an https: address"
    : "";
}
