import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { outgoingTrust } from "./authorities.ts";
import { type HttpProxy, type ProcessEnvironment, proxyFor } from "./proxy-for.ts";

interface OriginConnectionOptions {
  readonly env: ProcessEnvironment;
  /** Largest number of concurrent connections. */
  readonly connections: number;
  /** Time limit for opening a connection. (ms) */
  readonly timeoutMs: number;
  /** Resolves the host of a direct connection. */
  readonly lookup?: LookupFunction;
}

/** The way to one origin, direct or through the proxy that the environment names. */
interface OriginConnection {
  /** Opens a pool of connections for requests whose URL is a path without an origin. */
  open(): Dispatcher;
  readonly proxy: HttpProxy | undefined;
}

/**
 * Prepares connections to the origin of `url`. The HTTP client is loaded at the first call. Requests have no time limit
 * except the signal of their caller.
 */
export async function openOriginConnection(
  url: URL,
  { env, connections, timeoutMs, lookup }: OriginConnectionOptions,
): Promise<OriginConnection> {
  const {
    undici: { Pool, ProxyAgent },
  } = await import("./undici.ts");
  const secureContext = await outgoingTrust(env);
  const connect = { timeout: timeoutMs, ...(secureContext && { secureContext }) };
  const pool = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyFor(url, env);
  if (!proxy) {
    const direct = { ...connect, ...(lookup && { lookup }) };
    return { open: () => new Pool(url.origin, { ...pool, connect: direct }), proxy };
  }
  if (url.protocol === "http:") {
    const open = () =>
      new Pool(proxy.origin, { ...pool, connect }).compose(
        (dispatch) => (request, handler) => dispatch(forwarded(request, url, proxy), handler),
      );
    return { open, proxy };
  }
  const open = () =>
    new ProxyAgent({
      ...pool,
      uri: proxy.origin,
      ...(proxy.authorization !== undefined && { token: proxy.authorization }),
      requestTls: connect,
      proxyTls: connect,
      clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: timeoutMs }),
    }).compose((dispatch) => (request, handler) => dispatch({ ...request, origin: url.origin }, handler));
  return { open, proxy };
}

/**
 * Sends an unencrypted request to the proxy with an absolute URL, because many proxies open tunnels to port 443 only.
 */
function forwarded(request: Dispatcher.DispatchOptions, url: URL, proxy: HttpProxy): Dispatcher.DispatchOptions {
  const headers = {
    ...(request.headers as Record<string, string>),
    host: url.host,
    ...(proxy.authorization !== undefined && { "proxy-authorization": proxy.authorization }),
  };
  return { ...request, origin: proxy.origin, path: url.origin + request.path, headers };
}

/**
 * Explains an error of the HTTP client which says that a proxy did not open a tunnel; undefined for any other error.
 */
export function tunnelRefusalReason(message: string, url: URL, proxy: HttpProxy): string | undefined {
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  return status === undefined ? undefined : proxyRefusalReason(Number(status), url, proxy);
}

/**
 * Explains a response of the forward proxy itself.
 *
 * @param status the HTTP status of that response
 */
export function proxyRefusalReason(status: number, { host }: URL, { origin, variable }: HttpProxy): string {
  return status === 407
    ? `the proxy ${origin} requires a password (HTTP 407): set ${variable} as http://user:password@host:port`
    : `the proxy ${origin} (${variable}) rejects the connection to ${host} (HTTP ${status}); if it needs no proxy, add it to NO_PROXY`;
}
