import { isIP } from "node:net";
import { type App, part } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { isLoopback, isLoopbackListener, parseHost } from "../../base/host-port.ts";
import { requestId } from "../../base/id.ts";
import { callerSource } from "../../extension/caller-source.ts";
import { ANONYMOUS_CALLER, type Caller, type ListenerKind, REMOTE_ANONYMOUS_CALLER } from "../../schema/caller.ts";
import { type TokenDefect, verifyToken } from "../../verbs/tokens/verify.ts";
import { mcpPath } from "../mcp-path.ts";
import { attemptLockMs, countFailedAttempt } from "./attempts.ts";
import { checkHost } from "./host.ts";
import { comparableSecret, identify } from "./identify.ts";
import { isLocal, isTrustedOrigin } from "./local.ts";
import { panelSessionCaller } from "./panel-session.ts";
import { peerOf } from "./peer.ts";

/** The metadata of a request before authentication. The request comes from memory or from a listener. */
export interface RequestMetadata {
  method: string;
  /** Path and query as sent. */
  target: string;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Address of the peer; absent on a local socket. */
  remote: string | undefined;
  /** The listener that accepted the request. */
  listener: ListenerKind;
  /** Whether the store has caught up with other processes, after an attempt with the result `isUnknown`. */
  hasCaughtUp?: boolean;
}

/** The result of authenticating a request. */
export interface AuthenticationResult {
  readonly requestId: string;
  /** Still percent-encoded. For an alias of an MCP endpoint this is the path of that endpoint. */
  readonly path: string;
  readonly query: string;
  readonly listener: ListenerKind;
  readonly caller: Caller | "invalid";
  /**
   * Set if the credential is unknown, but another replica may have issued it a moment ago: authenticate the request again
   * after `store.catchUp`.
   */
  readonly isUnknown?: true;
  /** Why the agent token is rejected. */
  readonly tokenDefect?: TokenDefect;
  /** Set if a signed-in browser sent a request that changes something, but not from a page of the panel. */
  readonly isCrossOrigin?: true;
  /** Set after too many failed attempts from the address: how long it must wait. (ms) */
  readonly waitMs?: number;
  readonly clientIp?: string;
  /**
   * Scheme and host that the client used, as a trusted reverse proxy reports them; otherwise the scheme of the
   * listener.
   */
  readonly proto?: "http" | "https";
  readonly host?: string;
  /** Headers of every response to the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Set if the request is rejected here. */
  readonly refusal?: Fault;
}

/** The API key in the form in which it is compared, made once. */
const comparableAdminKey = part("comparableAdminKey", ({ boot }) => comparableSecret(boot.apiKey));

/** Checks every request in the same order: request id, Host and Origin, peer, caller (spec 000 §4.1, §5; 001 §5). */
export function authenticateRequest(
  app: Pick<App, "boot" | "config" | "store" | "clock" | "part">,
  metadata: RequestMetadata,
): AuthenticationResult {
  const { boot, config } = app;
  const { method, target, header, remote, listener, hasCaughtUp = app.store.catchUp === undefined } = metadata;
  const { trusted_hosts, trusted_proxies, tls } = config.current();
  const byTls = listener === "tcp" && tls.enabled;
  const id = requestId(header("x-request-id"));
  const mark = target.indexOf("?");
  const query = mark < 0 ? "" : target.slice(mark + 1);
  const origin = header("origin");
  const verdict =
    listener === "tcp" && isLoopbackListener(boot.listenAddr)
      ? checkHost({ host: header("host"), origin, trusted: trusted_hosts, port: byTls ? 443 : 80 })
      : "ok";
  const apikey = query.includes("apikey=") ? (new URLSearchParams(query).get("apikey") ?? undefined) : undefined;
  const path = mcpPath(mark < 0 ? target : target.slice(0, mark));
  const peer = peerOf({ remote, header, trusted: trusted_proxies, byTls });
  const locked = attemptLockMs(app, peer.clientIp);
  const users = app.part(callerSource);
  let hasUnknownCookie = false;
  const who = identify({
    listener,
    header,
    apikey,
    // Only the API key, which a person may have chosen, can be guessed. The other secrets have 256 random bits, and an
    // outdated one in some program must not lock out all programs with the same address.
    adminKey: locked > 0 ? undefined : app.part(comparableAdminKey),
    agent: (token) => verifyToken(app, token),
    session: () => {
      const sent = { method, path, host: peer.host ?? header("host"), header };
      const known = users.ofBrowser({ ...sent, proto: peer.proto }) ?? panelSessionCaller(app, sent);
      hasUnknownCookie = known === undefined && header("cookie") !== undefined;
      return known;
    },
    user: (token) => users.ofBearer(token, path),
  });
  const outdated = app.store.outdated();
  const elsewhere =
    who === ANONYMOUS_CALLER &&
    !isLocal({
      listenAddr: boot.listenAddr,
      remote,
      host: header("host"),
      origin,
      trustedHosts: trusted_hosts,
      trustedProxies: trusted_proxies,
    });
  const wrong = who === "invalid" || who === "unknown";
  const isUnknown =
    !hasCaughtUp && locked === 0 && (who === "unknown" || (hasUnknownCookie && NEEDS_SESSION.test(path)));
  // The second attempt counts.
  const wait = !wrong || isUnknown ? 0 : locked > 0 ? locked : countFailedAttempt(app, peer.clientIp);
  const headers: Record<string, string> = { "X-Request-Id": id };
  if (byTls && tls.hsts && byName(peer.host ?? header("host"))) headers["Strict-Transport-Security"] = HSTS;
  if (origin !== undefined) Object.assign(headers, crossOrigin(origin, trusted_hosts));
  const refusal =
    verdict !== "ok"
      ? new Fault("forbidden_host", { reason: verdict })
      : outdated && needsCurrentStore(method, path, who)
        ? outdated
        : undefined;
  const result: Mutable<AuthenticationResult> = { requestId: id, path, query, listener, caller: "invalid", headers };
  // One by one, because spreads of optional members take several times as long.
  if (elsewhere) result.caller = REMOTE_ANONYMOUS_CALLER;
  else if (typeof who !== "string") result.caller = who;
  else if (who === "elsewhere") result.isCrossOrigin = true;
  else if (who !== "invalid") result.tokenDefect = who;
  if (isUnknown) result.isUnknown = true;
  if (wait > 0) result.waitMs = wait;
  if (peer.clientIp !== undefined) result.clientIp = peer.clientIp;
  if (peer.proto !== undefined) result.proto = peer.proto;
  if (peer.host !== undefined) result.host = peer.host;
  if (refusal) result.refusal = refusal;
  return result;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Whether a request depends on approvals or credentials that may have been revoked, or changes something. What remains
 * are probes, pages, and the reads of an administrator with the API key.
 */
function needsCurrentStore(method: string, path: string, who: ReturnType<typeof identify>): boolean {
  if (path === "/mcp" || path.startsWith("/mcp/")) return true;
  if (path.startsWith("/api/") && method !== "GET" && method !== "HEAD") return true;
  return typeof who !== "string" && (who.tier === "agent" || who.user !== undefined || who.signIn !== undefined);
}

/** Paths at which a browser's session counts; the others are pages and their files. */
const NEEDS_SESSION = /^\/(?:api|events|ui\/(?:code|consent|passkeys|session))(?:\/|$)/;

/** One year, in seconds. */
const HSTS = "max-age=31536000";

/**
 * True if a browser may remember to use only https for this host. It remembers names without their ports, so for
 * `localhost` it would then reject every other program on this machine. It does not remember addresses (RFC 6797
 * §8.1.1).
 */
function byName(host: string | undefined): boolean {
  const name = parseHost(host ?? "")?.host ?? "";
  return name !== "" && isIP(name) === 0 && !isLoopback(name) && !name.endsWith(".localhost");
}

/**
 * Returns the caller if the request is authenticated. @throws Fault unauthenticated, too_many_attempts, other_origin,
 * agent_token_invalid
 */
export function requireCaller({ caller, tokenDefect, isCrossOrigin, waitMs }: AuthenticationResult): Caller {
  if (caller !== "invalid") return caller;
  if (waitMs !== undefined) throw new Fault("too_many_attempts", { retryAfterMs: waitMs });
  if (isCrossOrigin) throw new Fault("other_origin");
  // The reason is disclosed only to a client that sends the complete secret of the token.
  if (tokenDefect && tokenDefect !== "unknown") throw new Fault("agent_token_invalid", { reason: tokenDefect });
  throw new Fault("unauthenticated");
}

/**
 * Pages of other origins may read responses only if `trusted_hosts` names their host; `*` matches no origin. The
 * specification requires no CORS, and a page on another port of this machine may belong to any program.
 */
function crossOrigin(origin: string, trusted: readonly string[]): Record<string, string> {
  if (!isTrustedOrigin(origin, trusted)) return {};
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "X-Request-Id, ETag, Mcp-Session-Id, WWW-Authenticate, Retry-After",
    Vary: "Origin",
  };
}
