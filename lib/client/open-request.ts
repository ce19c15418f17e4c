import { type IncomingMessage, request as plain, type RequestOptions } from "node:http";
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
}

/**
 * Sends one request on a new connection, because a command sends few, and returns when the response starts.
 *
 * @throws Fault daemon_not_running, daemon_unreachable, invalid_args if a configured certificate does not exist
 */
export async function openRequest(
  to: ProxyTarget,
  { method, path, headers, body, signal }: ClientRequest,
): Promise<IncomingMessage> {
  const url = new URL("url" in to ? to.url : "http://localhost");
  const options: RequestOptions = {
    // No connection remains open after the response, so that the command can end.
    agent: false,
    method,
    path: url.pathname.replace(/\/$/, "") + path,
    signal,
    headers: { ...headers, ...("key" in to && to.key !== undefined && { "x-api-key": to.key }) },
    ...("socketPath" in to ? { socketPath: to.socketPath } : { host: hostOf(url), port: url.port }),
  };
  const [request, secure] = url.protocol === "https:" ? await byTls(to) : [plain, {}];
  try {
    return await new Promise((done, fail) => {
      request({ ...options, ...secure }, done)
        .on("error", fail)
        .end(body);
    });
  } catch (error) {
    throw signal.aborted ? error : unreachable(to, error);
  }
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
  const where = "url" in to ? to.url.origin : to.socketPath;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ECONNREFUSED") return new Fault("daemon_not_running", { where }, { cause: error });
  const reason = (code !== undefined && TLS_REASONS[code]) || reasonOf(error) || String(code);
  return new Fault("daemon_unreachable", { where, reason: reason + plainHint(to, code) }, { cause: error });
}

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
