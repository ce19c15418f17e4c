import { certificateFault } from "../../base/egress/certificate-fault.ts";
import { openOriginConnection, tunnelRefusalReason } from "../../base/egress/origin-connection.ts";
import { type HttpProxy, proxyFor } from "../../base/egress/proxy-for.ts";
import { SignInMissing, type UpstreamAuthorization } from "../authorization.ts";
import { SignInNeeded, UpstreamError } from "../errors.ts";
import type { UpstreamTarget } from "../target.ts";
import { OnDemandPool } from "./on-demand-pool.ts";
import type { HttpRequest, ResponseHandler } from "./plain-http-connection.ts";
import { PlainHttpPool } from "./plain-http-pool.ts";
import { withBody } from "./with-body.ts";

/** Maximum number of connections to one upstream; each carries one request at a time. */
const MAX_CONNECTIONS = 128;
const CONNECT_TIMEOUT_MS = 10_000;

/** Headers that the proxy sets itself, or that concern one network hop only. */
const RESERVED = new Set(
  "content-type content-length transfer-encoding connection keep-alive upgrade expect te trailer accept mcp-session-id mcp-protocol-version".split(
    " ",
  ),
);

/** The network side of one HTTP upstream: connections, URL and constant headers. */
export interface HttpHost {
  readonly url: URL;
  /** Sends a request to the upstream's origin. */
  dispatch(request: HttpRequest, handler: ResponseHandler): void;
  /** Closes all connections. Later requests fail. */
  destroy(): Promise<void>;
  /** The forward proxy; undefined for a direct connection. */
  readonly proxy: HttpProxy | undefined;
  /** The configured headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Provides the authorization if the proxy signs in to the server; otherwise undefined. */
  readonly bearer: UpstreamAuthorization | undefined;
  /** Path and query of requests. They change when the upstream redirects within its own origin. */
  path: string;
}

/** Opens the connections to an HTTP upstream. */
export async function openHttpHost(target: UpstreamTarget): Promise<HttpHost> {
  const { url } = target;
  if (!url) throw new UpstreamError("its entry has no url");
  const headers: Record<string, string> = {};
  if (url.username) headers.authorization = basic(url);
  for (const [name, value] of Object.entries(target.headers))
    if (!RESERVED.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  const client = await openClient(url, target.systemEnv);
  return new OpenHost({ href: url.href, client, headers, bearer: target.bearer, path: url.pathname + url.search });
}

/** Sends requests to one origin. */
interface HttpClient {
  dispatch(request: HttpRequest, handler: ResponseHandler): void;
  destroy(): void | Promise<void>;
  readonly proxy?: HttpProxy | undefined;
}

/** A class, because there is one for each server. It parses the URL again when it is needed: a `URL` takes 200 bytes. */
class OpenHost implements HttpHost {
  readonly headers: HttpHost["headers"];
  readonly bearer: HttpHost["bearer"];
  path: string;
  private readonly href: string;
  private readonly client: HttpClient;

  constructor({
    href,
    client,
    headers,
    bearer,
    path,
  }: Pick<HttpHost, "headers" | "bearer" | "path"> & { href: string; client: HttpClient }) {
    this.headers = headers;
    this.bearer = bearer;
    this.path = path;
    this.href = href;
    this.client = client;
  }

  get url(): URL {
    return new URL(this.href);
  }

  get proxy(): HttpProxy | undefined {
    return this.client.proxy;
  }

  dispatch(request: HttpRequest, handler: ResponseHandler): void {
    this.client.dispatch(request, handler);
  }

  async destroy(): Promise<void> {
    await this.client.destroy();
  }
}

/** Opens the client for an origin. undici is loaded only if there is encryption or a forward proxy. */
async function openClient(url: URL, env: UpstreamTarget["systemEnv"]): Promise<HttpClient> {
  if (url.protocol === "http:" && !proxyFor(url, env))
    return new PlainHttpPool(url, { connections: MAX_CONNECTIONS, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const { open, proxy } = await openOriginConnection(url, {
    env,
    connections: MAX_CONNECTIONS,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  const pool = new OnDemandPool(open);
  return {
    dispatch: ({ body, ...request }, handler) =>
      pool.dispatch(body === undefined ? request : { ...request, ...withBody(body, request.headers) }, handler),
    destroy: () => pool.destroy(),
    proxy,
  };
}

/**
 * Calls `go` with the authorization for the next request: synchronously if it is known, otherwise after fetching it.
 * The call path must not make a promise for it.
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

/** The upstream could not be reached, or the connection broke. The next requests may fail as well. */
export class HostUnreachable extends UpstreamError {
  override readonly name = "Unreachable";

  /** True if a connection existed and broke. */
  get isBrokenOff(): boolean {
    return BROKEN_OFF.has(String((this.cause as { code?: unknown } | undefined)?.code));
  }
}

const BROKEN_OFF = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Explains an error of the HTTP client to people. */
export function explainHttpError(error: Error & { code?: string; cause?: unknown }, host: HttpHost): HostUnreachable {
  const { url, proxy } = host;
  // Behind a forward proxy, the connection ends at that proxy, so the error says nothing about the server.
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

/** Returns the path of a redirect within the upstream's origin. @throws UpstreamError if it leads to another origin */
export function redirectTarget(location: string | string[] | undefined, host: HttpHost): string {
  const text = Array.isArray(location) ? location[0] : location;
  if (!text || !URL.canParse(text, host.url.href)) throw new UpstreamError("it redirects without a valid address");
  const to = new URL(text, new URL(host.path, host.url));
  // The proxy's headers may contain credentials that only this origin may receive.
  if (to.origin !== host.url.origin)
    throw new UpstreamError(
      `it redirects to ${to.origin}, another origin, which the proxy does not follow; set that address as its url`,
    );
  return to.pathname + to.search;
}
