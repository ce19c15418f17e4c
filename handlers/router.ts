import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  type AuthenticationResult,
  authenticateRequest,
  type RequestMetadata,
  requireCaller,
} from "#lib/core/api/authenticate/authenticate.ts";
import { PROFILE_HEADER, withProfile } from "#lib/core/api/authenticate/profile.ts";
import { isPathTarget } from "#lib/core/api/is-path-target.ts";
import { loadEndpoints, loadFetch, loadRest } from "#lib/core/api/load-rest.ts";
import { mcpPath } from "#lib/core/api/mcp-path.ts";
import { answerProbe } from "#lib/core/api/probe.ts";
import type { RestHandler } from "#lib/core/api/rest.ts";
import type { App } from "#lib/core/app.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { parseHost } from "#lib/core/base/host-port.ts";
import { lazy } from "#lib/core/base/lazy.ts";
import { nextLoopTurn } from "#lib/core/base/loop-share.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";
import { mcpChallenge } from "#lib/core/extension/mcp-challenge.ts";
import { createMcpHttp } from "#lib/core/mcp/mcp-http.ts";
import { mountsByPath } from "#lib/core/mcp/mount.ts";
import type { McpResponse, ReceivedPost } from "#lib/core/mcp/received-post.ts";
import type { Requester } from "#lib/core/mcp/request-context.ts";
import { sendRefusal } from "#lib/core/mcp/send-json.ts";
import { ANONYMOUS_CALLER, type ListenerKind } from "#lib/core/schema/caller.ts";
import { RPC } from "#lib/core/schema/mcp.ts";
import { mounts, tools } from "./mcp.gen.ts";
import { routeLoaders } from "./route-loaders.gen.ts";

/** All endpoints of one App. */
export interface Router {
  /** Handles a request in memory. MCP endpoints are not included, because they write to Node's response. */
  fetch(request: Request, from?: { listener?: ListenerKind; remote?: string }): Promise<Response>;
  /** Handles a request that a listener received; `listener` is its kind. */
  node(req: IncomingMessage, res: ServerResponse, listener: ListenerKind): void;
  /** Answers POSTs to MCP endpoints that were read without `node:http`. */
  readonly posts: {
    takes(target: string): boolean;
    answer(post: ReceivedPost, listener: ListenerKind): void;
  };
  /** Ends the MCP sessions and their streams. */
  close(): Promise<void>;
}

const endpoints = lazy(() => loadEndpoints(routeLoaders));

/** Composes every endpoint over one shared context. */
export function router(app: App): Router {
  const mcp = createMcpHttp(app, { tools });
  const mountAt = mountsByPath(mounts);
  const admissions = new WeakMap<object, AuthenticationResult>();
  let rest: Promise<RestHandler> | undefined;
  // Loaded by the first request, because the endpoints are a third of what the program would load at its start.
  const answerRest: RestHandler = async (request, admission) => {
    rest ??= endpoints().then((all) => loadRest(app, all));
    return await (await rest)(request, admission);
  };
  let listener: Promise<ReturnType<typeof import("@hono/node-server").getRequestListener>> | undefined;
  const loadListener = async () => {
    await loadFetch();
    const { getRequestListener } = await import("@hono/node-server");
    await nextLoopTurn();
    return getRequestListener((request, { incoming }) => answerRest(request, admissions.get(incoming)!), {
      overrideGlobalObjects: false,
    });
  };
  const toRest = async (req: IncomingMessage, res: ServerResponse) => {
    listener ??= loadListener();
    await (await listener)(req, res);
  };

  const answerNode = (req: IncomingMessage, res: ServerResponse, admission: AuthenticationResult) => {
    const at = req.method === "OPTIONS" ? undefined : mountAt(admission.path);
    // MCP responses set the request ID themselves: headers set beforehand make Node merge them, which costs
    // measurable time per call.
    if (!at || req.headers.origin !== undefined)
      for (const [name, value] of Object.entries(admission.headers)) res.setHeader(name, value);
    if (at) {
      const who = admitMcp(app, admission, at.profile, req.headers, res);
      if (who) void mcp.handle(req, res, at.mount, who);
      return;
    }
    if (answerProbe(app, req, res, admission)) return;
    // Both are only used to construct a URL. The listener has already checked the client's values, and routing uses
    // the path found there.
    req.headers.host = hostInUrl(req.headers.host ?? "");
    if (!isPathTarget(req.url ?? "")) req.url = "/";
    admissions.set(req, admission);
    app.log.catch("answering a request", toRest(req, res));
  };
  /** Authenticates a request, a second time if another replica may have issued its credential a moment ago. */
  const authenticate = (metadata: RequestMetadata): AuthenticationResult | Promise<AuthenticationResult> => {
    const admission = authenticateRequest(app, metadata);
    if (!admission.isUnknown) return admission;
    return Promise.resolve(app.store.catchUp?.()).then(() =>
      authenticateRequest(app, { ...metadata, hasCaughtUp: true }),
    );
  };
  /** Calls `next` with the result, at once if the credential is known. A failure closes the connection. */
  const authenticated = (
    metadata: RequestMetadata,
    response: { destroy(): unknown },
    next: (admission: AuthenticationResult) => void,
  ) => {
    const admission = authenticate(metadata);
    if (!(admission instanceof Promise)) return next(admission);
    const answered = admission.then(next).catch((error: unknown) => {
      response.destroy();
      throw error;
    });
    app.log.catch("authenticating a request", answered);
  };

  return {
    async fetch(request, { listener = "internal", remote } = {}) {
      const url = new URL(request.url);
      const header = (name: string) => request.headers.get(name) ?? (name === "host" ? url.host : undefined);
      const { method } = request;
      const metadata = { method, target: url.pathname + url.search, header, remote, listener };
      return answerRest(request, await authenticate(metadata));
    },
    node(req, res, listener) {
      const metadata = {
        method: req.method ?? "GET",
        target: req.url ?? "",
        header: (name: string) => (name === "host" ? hostOf(req) : req.headers[name]?.toString()),
        remote: listener === "tcp" ? req.socket.remoteAddress : undefined,
        listener,
      };
      authenticated(metadata, res, (admission) => answerNode(req, res, admission));
    },
    posts: {
      takes: (target) => mountAt(mcpPath(target.split("?", 1)[0]!)) !== undefined,
      answer(post, listener) {
        const { target, headers, remote, response } = post;
        const header = (name: string) => headers[name]?.toString();
        authenticated({ method: "POST", target, header, remote, listener }, response, (admission) => {
          const { mount, profile } = mountAt(admission.path)!;
          const who = admitMcp(app, admission, profile, headers, response);
          if (who) mcp.answer(post, mount, who);
        });
      },
    },
    close: () => mcp.close(),
  };
}

/**
 * Returns the Host header. Node keeps only the first one, so a request with several counts as having none; otherwise it
 * would be ambiguous.
 */
function hostOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === "host") hosts++;
  return hosts > 1 ? `${headers.host}, and another` : headers.host;
}

/**
 * Returns a Host header in the normalised form that URLs have. The HTTP adapter answers other forms, such as
 * `[::ffff:127.0.0.1]`, with an empty 400.
 */
function hostInUrl(host: string): string {
  if (USUAL_HOST.test(host)) return host;
  const parsed = parseHost(host);
  if (!parsed || !URL.canParse(`http://${host}`)) return "localhost";
  const { hostname } = new URL(`http://${host}`);
  return parsed.port === undefined ? hostname : `${hostname}:${parsed.port}`;
}

/** Without the ports from 60000 on, since those above 65535 are none. */
const USUAL_HOST = /^(?:127\.0\.0\.1|localhost)(?::[1-5]?\d{1,4})?$/;

/**
 * An MCP endpoint needs no credential unless the operator says so, but an invalid one is always rejected (spec 001 §5).
 * The request is limited to the requested profile.
 */
function admitMcp(
  app: App,
  admission: AuthenticationResult,
  pathProfile: string | undefined,
  headers: IncomingHttpHeaders,
  res: McpResponse,
): Requester | undefined {
  const { caller, requestId, clientIp, refusal } = admission;
  const who = { caller: ANONYMOUS_CALLER, requestId, ...(clientIp !== undefined && { clientIp }) };
  const refused = (fault: Fault, text = fault.message) => {
    auditRefusal(app, admission, fault);
    const { retryAfterMs } = fault.facts;
    const challenge =
      fault.status === 401
        ? ["www-authenticate", challengeFor(app, admission, headers.host)]
        : typeof retryAfterMs === "number"
          ? ["retry-after", String(Math.ceil(retryAfterMs / 1000))]
          : [];
    sendRefusal(res, fault.status, who, RPC.invalidRequest, text, challenge);
  };
  try {
    if (refusal) throw refusal;
    // On the local socket the operating system has authenticated the caller, even if the request drops rights.
    const isNobody = caller !== "invalid" && caller.tier === "anonymous" && caller.listener === "tcp";
    if (isNobody && app.config.current().require_mcp_auth) throw new Fault("unauthenticated");
    const profile = { path: pathProfile, header: headers[PROFILE_HEADER]?.toString() };
    return { ...who, caller: withProfile(app, requireCaller(admission), profile) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    refused(error, error.code === "unauthenticated" ? mcp401(headers) : undefined);
    return undefined;
  }
}

function challengeFor(app: App, { caller, path, proto, host }: AuthenticationResult, sentHost?: string): string {
  return app.part(mcpChallenge).forRequest({ path, proto, host: host ?? sentHost, isInvalid: caller === "invalid" });
}

function auditRefusal(
  app: App,
  { caller, listener, requestId, clientIp }: AuthenticationResult,
  { code }: Fault,
): void {
  const trail = app.part(auditTrail);
  if (!trail.isKept) return;
  const origin = { source: "mcp", requestId, ...(clientIp !== undefined && { clientIp }) } as const;
  const by = { caller: caller === "invalid" ? { ...ANONYMOUS_CALLER, listener } : caller, origin };
  trail.recordDecision(by, { surface: "mcp", operation: "connect", decision: "deny", reason: code });
}

const MCP_401 = "Authentication required. Provide an API key or agent token.";

/** The message for a credential that is valid elsewhere but not on MCP endpoints (spec 001 §5). */
function mcp401(headers: IncomingHttpHeaders): string {
  const credentials = [headers.authorization, headers["x-api-key"]].join(" ");
  if (/\beyJ[\w-]+\.[\w-]+\.[\w-]*/.test(credentials))
    return `${MCP_401} A user's bearer token (JWT) is not valid on MCP endpoints; create an agent token with it: POST /api/v1/user/tokens.`;
  if (headers.cookie !== undefined)
    return `${MCP_401} A browser's cookie is not valid on MCP endpoints; create an agent token in the control panel.`;
  return MCP_401;
}
