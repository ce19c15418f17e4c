import type { Dispatcher } from "undici";
import { certificateFault } from "../../base/egress/certificate-fault.ts";
import { openOriginConnection, tunnelRefusalReason } from "../../base/egress/origin-connection.ts";
import type { HttpProxy } from "../../base/egress/proxy-for.ts";
import { SignInMissing, type UpstreamAuthorization } from "../authorization.ts";
import { SignInNeeded, UpstreamError } from "../errors.ts";
import type { UpstreamTarget } from "../target.ts";

/** Connections to one upstream at once; each carries one request at a time. */
const MAX_CONNECTIONS = 128;
const CONNECT_TIMEOUT_MS = 10_000;

/** Headers that are ours, or belong to one hop. */
const RESERVED = new Set(
  "content-type content-length transfer-encoding connection keep-alive upgrade expect te trailer accept mcp-session-id mcp-protocol-version".split(
    " ",
  ),
);

/** The network side of one HTTP upstream: connections, address and the headers that never change. */
export interface HttpHost {
  readonly url: URL;
  readonly pool: Dispatcher;
  /** Through which it is reached; absent where the connection is direct. */
  readonly proxy: HttpProxy | undefined;
  /** Configured headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a sign-in gives it to show. */
  readonly bearer: UpstreamAuthorization | undefined;
  /** Path and query of requests; moves when the upstream redirects within its own origin. */
  path: string;
}

/** The HTTP client is loaded with the first of its upstreams, not at every start. */
export async function openHttpHost(target: UpstreamTarget): Promise<HttpHost> {
  const { url } = target;
  if (!url) throw new UpstreamError("its entry has no url");
  const headers: Record<string, string> = {};
  if (url.username) headers.authorization = basic(url);
  for (const [name, value] of Object.entries(target.headers))
    if (!RESERVED.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  const line = await openOriginConnection(url, {
    env: target.systemEnv,
    connections: MAX_CONNECTIONS,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  return {
    url,
    pool: line.dispatcher,
    proxy: line.proxy,
    headers,
    bearer: target.bearer,
    path: url.pathname + url.search,
  };
}

/**
 * Asks what to show with the next request and goes on with it: at once where it is at hand, else when it was fetched.
 * The call path makes no promise for it.
 */
export function withAuthorization(
  { bearer }: HttpHost,
  go: (authorization: string | undefined) => void,
  fail: (error: Error) => void,
): void {
  if (!bearer) {
    go(undefined);
    return;
  }
  try {
    const shown = bearer.header();
    if (shown instanceof Promise) shown.then(go, (error: unknown) => fail(missing(error)));
    else go(shown);
  } catch (error) {
    fail(missing(error));
  }
}

function missing(error: unknown): Error {
  return error instanceof SignInMissing
    ? new SignInNeeded(error.message)
    : new UpstreamError(error instanceof Error ? error.message : String(error), { cause: error });
}

function basic(url: URL): string {
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** It could not be reached, or broke off: the next requests may well fail too. */
export class HostUnreachable extends UpstreamError {
  override readonly name = "Unreachable";

  /** Whether there was a connection. */
  get isBrokenOff(): boolean {
    return BROKEN_OFF.has(String((this.cause as { code?: unknown } | undefined)?.code));
  }
}

const BROKEN_OFF = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** What a failed exchange with a host means for people. */
export function explainHttpError(error: Error & { code?: string; cause?: unknown }, host: HttpHost): HostUnreachable {
  const { url, proxy } = host;
  // The connection ends at the HTTP proxy; its address says nothing about the server behind it.
  const where = proxy ? `the proxy ${proxy.origin} (${proxy.variable})` : url.host;
  const name = proxy ? new URL(proxy.origin).hostname : url.hostname;
  const reasons: Record<string, string> = {
    ECONNREFUSED: `no program listens at ${where}`,
    ECONNRESET: `${where} closed the connection abruptly`,
    EPIPE: `${where} closed the connection abruptly`,
    ENOTFOUND: `the host name ${name} does not exist`,
    EAI_AGAIN: `the host name ${name} could not be resolved`,
    UND_ERR_SOCKET: `${where} closed the connection without a response`,
    UND_ERR_CONNECT_TIMEOUT: `no connection to ${where} within ${CONNECT_TIMEOUT_MS / 1000} s`,
  };
  const certificate = certificateFault([error.code ?? "", error.message], url.host);
  const reason =
    certificate?.message ??
    (proxy && tunnelRefusalReason(error.message, url, proxy)) ??
    reasons[error.code ?? ""] ??
    (error.message || error.code || "connection failed");
  return new HostUnreachable(reason, {
    cause: error,
    certificateFault: certificate?.fault,
    ...(error.code === "ETIMEDOUT" && { errorClass: "timed_out" }),
  });
}

/** Where a redirect leads, when that is on the upstream's own origin. @throws UpstreamError it leads elsewhere */
export function redirectTarget(location: string | string[] | undefined, host: HttpHost): string {
  const text = Array.isArray(location) ? location[0] : location;
  if (!text || !URL.canParse(text, host.url.href)) throw new UpstreamError("it redirects without a valid address");
  const to = new URL(text, new URL(host.path, host.url));
  // Our headers may hold credentials that only this origin may see.
  if (to.origin !== host.url.origin)
    throw new UpstreamError(
      `it redirects to ${to.origin}, another origin, which the proxy does not follow; set that address as its url`,
    );
  return to.pathname + to.search;
}
