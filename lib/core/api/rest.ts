import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
import { TrieRouter } from "hono/router/trie-router";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import { withRequestId } from "../log/request-id.ts";
import { ANONYMOUS_CALLER } from "../schema/caller.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { countFailedAttempt } from "./authenticate/attempts.ts";
import { type AuthenticationResult, requireCaller } from "./authenticate/authenticate.ts";
import type { Endpoint } from "./endpoint.ts";
import { faultAnswer } from "./fault-answer.ts";
import { isPathTarget } from "./is-path-target.ts";
import { STRICT_CONTENT_POLICY } from "./page-headers.ts";
import { requestOrigin, serveEndpoint } from "./serve-endpoint.ts";

type Env = { Bindings: { admission: AuthenticationResult } };

/** Answers one authenticated request. Failures are converted to responses. */
export type RestHandler = (request: Request, admission: AuthenticationResult) => Promise<Response>;

/** Answers all requests except MCP: calls the endpoints, and responds to unknown paths. */
export function createRest(app: App, endpoints: readonly Endpoint[]): RestHandler {
  const allowed = allowedMethods(endpoints);
  const allowedToAll = allowedMethods(endpoints.filter(({ spec }) => spec.crossOrigin));
  // Hono gets the path as sent. It would decode the path before splitting it, but names may contain an encoded slash.
  const getPath = (_: Request, { env }: { env?: unknown } = {}) => (env as Env["Bindings"]).admission.path;
  // By default Hono tries another router first, which takes 4 ms to find that it does not support these paths.
  const hono = new Hono<Env>({ getPath, router: new TrieRouter() });

  hono.use(async (c, next) => {
    await next();
    if (app.part(auditTrail).isKept) audit(app, c);
  });
  hono.use(async (c, next) => {
    const { refusal, path } = c.env.admission;
    if (refusal) throw refusal;
    readable(path);
    if (locks(c)) throw new Fault("too_many_attempts", { retryAfterMs: c.env.admission.waitMs! });
    if (c.req.method === "OPTIONS") return preflight(c, allowed(path), allowedToAll(path).length > 0);
    await next();
  });
  const served = new Map<string, Endpoint>();
  for (const e of endpoints) {
    const path = e.path.replaceAll(/\{(\w+)\}/g, ":$1");
    served.set(`${e.method} ${path}`, e);
    hono.on(e.method, path, async (c) => {
      const response = await serveEndpoint(e, c, app, c.env.admission, endpoints);
      if (e.spec.crossOrigin) for (const [name, value] of TO_ALL) response.headers.set(name, value);
      return response;
    });
  }
  hono.get("/", (c) => c.redirect("/ui/", 302));

  hono.notFound((c) => {
    const { path } = c.env.admission;
    // A client without a credential must not learn which paths exist.
    if (path.startsWith("/api/") && requireCaller(c.env.admission).tier === "anonymous")
      throw new Fault("unauthenticated");
    const allow = allowed(path).join(", ");
    throw allow === ""
      ? new Fault("no_such_route", { path })
      : new Fault("method_not_allowed", { method: c.req.method, path, allow });
  });
  hono.onError((thrown, c) => {
    const { requestId, clientIp } = c.env.admission;
    // A wrong key in the body counts as a failed attempt, like any other wrong credential.
    const wait = thrown instanceof Fault && thrown.code === "sign_in_refused" ? countFailedAttempt(app, clientIp) : 0;
    const error = wait > 0 ? new Fault("too_many_attempts", { retryAfterMs: wait }) : thrown;
    const onDefect = (defect: unknown) =>
      app.log.error(`${c.req.method} ${c.env.admission.path} failed`, {
        request_id: requestId,
        stack: defect instanceof Error ? defect.stack : String(defect),
      });
    // Also known for a request that was rejected before it reached its endpoint.
    const { failure: form, crossOrigin } = served.get(`${c.req.method} ${routePath(c, -1)}`)?.spec ?? {};
    const { status, headers, body } = faultAnswer(error, { requestId, onDefect, ...(form && { form }) });
    return c.json(body, status as ContentfulStatusCode, { ...headers, ...(crossOrigin && Object.fromEntries(TO_ALL)) });
  });

  return async (request, admission) => {
    const response = await withRequestId(admission.requestId, () => hono.fetch(request, { admission }));
    for (const [name, value] of Object.entries(admission.headers))
      if (name === "Vary") response.headers.append(name, value);
      else response.headers.set(name, value);
    // Pages set their own headers, which allow what they need.
    for (const [name, value] of STRICT) if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  };
}

/** Headers that forbid browsers to show a response in a frame, guess its type, run it or store it. */
const STRICT: readonly (readonly [string, string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Content-Security-Policy", STRICT_CONTENT_POLICY],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Cache-Control", "no-store"],
];

/** Headers by which pages of every origin may read a response. No cookie is sent with such requests. */
const TO_ALL = [
  ["Access-Control-Allow-Origin", "*"],
  ["Cross-Origin-Resource-Policy", "cross-origin"],
] as const;

/**
 * True if an address that is locked tries to sign a browser in; the credential is then in the body, so it was not
 * checked.
 */
function locks(c: Context<Env>): boolean {
  const { waitMs, path } = c.env.admission;
  return waitMs !== undefined && path === "/ui/session";
}

/**
 * Writes a request to the audit log. For routes that need a caller, accepting the request is a decision; so is a
 * rejection by the authentication.
 */
function audit(app: App, c: Context<Env>): void {
  const { admission } = c.env;
  if (!/^\/(?:api|events)(?:\/|$)/.test(admission.path)) return;
  const denied = c.error instanceof Fault && (c.error.status === 401 || c.error.status === 403);
  const caller = admission.caller === "invalid" ? ANONYMOUS_CALLER : admission.caller;
  app.part(auditTrail).recordDecision(
    { caller, origin: requestOrigin(c, admission) },
    {
      surface: "rest",
      operation: `${c.req.method} ${routePath(c, -1)}`,
      decision: denied ? "deny" : "allow",
      ...(denied && { reason: (c.error as Fault).code }),
      target: admission.path,
    },
  );
}

/** Rejects invalid percent-encodings, which Hono would pass on unchanged. */
function readable(path: string): void {
  if (!isPathTarget(path)) throw new Fault("invalid_request", { reason: "the request target must be a path" });
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new Fault("invalid_request", { reason: "the path is not valid percent-encoded UTF-8" }, { cause });
  }
}

/**
 * Answers a CORS preflight. The authentication has set the headers that say whether the page may continue.
 *
 * @param isToAll whether pages of every origin may call the endpoint
 */
function preflight(c: Context, methods: string[], isToAll: boolean): Response {
  const asked = c.req.header("access-control-request-headers");
  return c.body(null, 204, {
    Allow: [...methods, "OPTIONS"].join(", "),
    ...(isToAll && { "Access-Control-Allow-Origin": "*" }),
    ...((isToAll || c.env.admission.headers["Access-Control-Allow-Origin"] !== undefined) && {
      "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
      ...(asked !== undefined && /^[\w, -]{1,1000}$/.test(asked) && { "Access-Control-Allow-Headers": asked }),
      "Access-Control-Max-Age": "600",
    }),
  });
}
