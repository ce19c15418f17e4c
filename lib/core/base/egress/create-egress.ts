import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { Fault, reasonOf } from "../fault.ts";
import { isHostListed } from "../host-port.ts";
import { orAborted } from "../or-aborted.ts";
import { isAllowedDestination } from "./address.ts";
import { certificateFault } from "./certificate-fault.ts";
import type { AppEgress, Egress, EgressFetchOptions, EgressResponse } from "./egress.ts";
import { HeldConnection } from "./held-connection.ts";
import { openOriginConnection, proxyRefusalReason, tunnelRefusalReason } from "./origin-connection.ts";
import { type ProcessEnvironment, proxyFor } from "./proxy-for.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
const REDIRECTS = 3;

const UNPACK = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Headers that are dropped when a redirect leads to another host. */
const PERSONAL = new Set(["authorization", "cookie", "proxy-authorization", "x-api-key"]);

interface EgressOptions {
  /** The value of the `User-Agent` header. */
  readonly agent: string;
  /** Returns the internal hosts and networks that the configuration allows (`outbound_allow`). */
  allowed(): readonly string[];
  /** The environment of this process, which may name a forward proxy. */
  readonly env?: ProcessEnvironment | undefined;
  /** Resolves host names; the system's resolver by default. */
  readonly lookup?: typeof lookup | undefined;
}

/**
 * Makes the client for requests to URLs that come from outside. Each address is checked before each connection,
 * redirects included.
 */
export function createEgress({ agent, allowed, env = {}, lookup: find = lookup }: EgressOptions): AppEgress {
  const fetchOver =
    (connection?: HeldConnection): Egress["fetch"] =>
    async (url, options) => {
      const { timeoutMs = TIMEOUT_MS } = options;
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([options.signal, deadline]);
      try {
        const allow = [...allowed(), ...(options.allow ?? [])];
        return await follow(new URL(url), { ...options, signal, allow, connection });
      } catch (error) {
        options.signal.throwIfAborted();
        const fault = causes(error).find((one): one is Fault => one instanceof Fault);
        if (fault) throw fault;
        const why = reasonOf(causes(error).at(-1));
        const proxy = proxyFor(new URL(url), env);
        const certificate = deadline.aborted ? undefined : certificateFault([why], new URL(url).host);
        const reason = deadline.aborted
          ? `no response within ${timeoutMs} ms`
          : (certificate?.message ?? (proxy && tunnelRefusalReason(why, new URL(url), proxy)) ?? why);
        const failure = isTooLarge(error) ? "too_large" : certificate?.fault;
        throw new Fault("fetch_failed", { url: plain(url), reason, ...(failure && { failure }) }, { cause: error });
      }
    };
  return {
    fetch: fetchOver(),
    keepingOpen() {
      const connection = new HeldConnection();
      return { fetch: fetchOver(connection), close: () => connection.close() };
    },
  };

  async function follow(
    first: URL,
    options: EgressFetchOptions & { allow: readonly string[]; connection: HeldConnection | undefined },
  ): Promise<EgressResponse> {
    const { redirects = REDIRECTS, allow, signal, connection } = options;
    let request = { url: first, method: options.method ?? "GET", headers: named(options.headers), body: options.body };
    for (let hops = 0; ; hops++) {
      refuseByForm(request.url);
      refuseByAddress(request.url, allow);
      const proxy = proxyFor(request.url, env);
      if (proxy) await refuseByName(request.url, allow, signal);
      // An open connection was checked, but perhaps against another list.
      const key = JSON.stringify([request.url.origin, allow]);
      const line = connection?.take(key) ?? (await opened(request.url, allow));
      let isUsable = false;
      try {
        const sending = line.request({
          path: request.url.pathname + request.url.search,
          method: request.method as Dispatcher.HttpMethod,
          headers: { "user-agent": agent, "accept-encoding": "gzip, br", ...request.headers },
          body: request.body ?? null,
          signal,
        });
        // undici heeds the signal only when the connection is open.
        const answer = await orAborted(sending, signal);
        const to = answer.statusCode >= 300 && answer.statusCode < 400 && answer.headers.location;
        if (answer.statusCode === 407 && proxy) throw new Error(proxyRefusalReason(407, request.url, proxy));
        if (!to || answer.statusCode === 304) {
          const response = await read(request.url, answer, options);
          isUsable = connection !== undefined;
          return response;
        }
        answer.body.on("error", () => {}).destroy();
        if (hops >= redirects) throw new Error(redirects ? `more than ${redirects} redirects` : "a redirect");
        request = next(request, answer.statusCode, new URL(String(to), request.url));
      } finally {
        if (isUsable) await connection?.put(key, line);
        // A connection that is being opened is destroyed only when that succeeds or fails.
        else await orAborted(line.destroy(), signal).catch(() => {});
      }
    }
  }

  async function opened(url: URL, allow: readonly string[]): Promise<Dispatcher> {
    const lookup = checked(url, allow);
    const { open } = await openOriginConnection(url, { env, connections: 1, timeoutMs: TIMEOUT_MS, lookup });
    return open();
  }

  /**
   * Checks a host name that the forward proxy will resolve by itself. Behind such a proxy this machine may be unable to
   * resolve public names, so a name that does not resolve is rejected only if it looks like an internal name.
   */
  async function refuseByName(url: URL, allow: readonly string[], signal: AbortSignal): Promise<void> {
    const host = hostOf(url);
    if (isIP(host)) return;
    const resolved = new Promise<{ address: string }[]>((done) =>
      find(host, { all: true }, (error, all) => done(error ? [] : all)),
    );
    const found = await orAborted(resolved, signal);
    const inside =
      found.length > 0 && !found.some(({ address }) => isAllowedDestination(host, portOf(url), address, allow));
    if (inside) throw refused(url, `resolves to ${found[0]?.address}`);
    if (found.length === 0 && INSIDE.test(host) && !isHostListed(host, portOf(url), allow))
      throw refused(url, "is a name in a private network");
  }

  /** Checks the resolved addresses of a host when the connection is opened. */
  function checked(url: URL, allow: readonly string[]): LookupFunction {
    return (host, options, done) =>
      find(host, { ...options, all: true }, (error, found) => {
        if (error) return done(error, "", 0);
        const fit = found.filter(({ address }) => isAllowedDestination(hostOf(url), portOf(url), address, allow));
        if (!fit[0]) return done(refused(url, `resolves to ${found[0]?.address ?? "no address"}`), "", 0);
        if (options.all) done(null, fit);
        else done(null, fit[0].address, fit[0].family);
      });
  }
}

/** Names that are internal in every network. */
const INSIDE = /^[^.]*$|\.(?:internal|intranet|local|localhost|localdomain|lan|home|corp|private|home\.arpa)$/i;

/** A host written as an address is not resolved, so it is checked separately. */
function refuseByAddress(url: URL, allow: readonly string[]): void {
  const host = hostOf(url);
  if (isIP(host) && !isAllowedDestination(host, portOf(url), host, allow))
    throw refused(url, "is an address in a private network");
}

function refuseByForm(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw refused(url, `is not an http address (${url.protocol})`);
  if (url.username || url.password) throw refused(url, "contains a user name or password");
}

interface Asked {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function next({ url, method, headers, body }: Asked, status: number, to: URL): Asked {
  if (url.protocol === "https:" && to.protocol === "http:") throw refused(to, "is a redirect from https to http");
  const remaining = url.origin === to.origin ? headers : without(headers, (name) => PERSONAL.has(name));
  const get = status === 303 || (status < 303 && method === "POST");
  if (get && method !== "HEAD")
    return {
      url: to,
      method: "GET",
      headers: without(remaining, (name) => name.startsWith("content-")),
      body: undefined,
    };
  // The body (a code, a secret) was meant for the first host.
  if (body !== undefined && url.origin !== to.origin) throw refused(to, "would receive data meant for another host");
  return { url: to, method, headers: remaining, body };
}

class TooLarge extends Error {}

/** The second case: the response is too large after decompression, which zlib reports. */
const isTooLarge = (error: unknown) =>
  error instanceof TooLarge || (error as { code?: unknown } | undefined)?.code === "ERR_BUFFER_TOO_LARGE";

async function read(
  url: URL,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { maxBytes: limit = MAX_BYTES, binary = false }: EgressFetchOptions,
): Promise<EgressResponse> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > limit) throw new TooLarge(`the response is larger than ${limit} bytes`);
    parts.push(part);
  }
  const packed = Buffer.concat(parts);
  const coding = String(headers["content-encoding"] ?? "identity").toLowerCase();
  if (coding !== "identity" && !Object.hasOwn(UNPACK, coding))
    throw new Error(`the response uses the content encoding ${coding}`);
  const bytes =
    coding === "identity" || size === 0
      ? packed
      : await UNPACK[coding as keyof typeof UNPACK](packed, { maxOutputLength: limit });
  const headerPairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const response = { status: statusCode, headers: new Headers(headerPairs), url: url.href };
  return binary ? { ...response, text: "", bytes } : { ...response, text: bytes.toString("utf8") };
}

const named = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const without = (headers: Readonly<Record<string, string>>, isRemoved: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isRemoved(name)));

/** Returns the URL for messages, without its query, which may hold secrets. */
function plain(url: string | URL): string {
  const { origin, protocol, pathname } = new URL(url);
  return origin === "null" ? protocol : origin + pathname;
}

const refused = (url: URL, reason: string) => new Fault("address_refused", { url: plain(url), reason });

/** The host without the brackets of IPv6 and without the final dot of a fully qualified name. */
const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
const portOf = (url: URL) => Number(url.port || (url.protocol === "https:" ? 443 : 80));

/** Lists an error and its causes. Of an AggregateError (one error per address of a host) only the first is followed. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && chain.length < 8; ) {
    chain.push(one);
    one = one instanceof AggregateError ? one.errors[0] : one instanceof Error ? one.cause : undefined;
  }
  return chain;
}
