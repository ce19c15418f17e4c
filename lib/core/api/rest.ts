import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
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
import { STRICT_CONTENT_POLICY } from "./page-headers.ts";
import { requestOrigin, serveEndpoint } from "./serve-endpoint.ts";

type Env = { Bindings: { admission: AuthenticationResult } };

/** Answers one request that was seen at the door; failures are answers too. */
type RestHandler = (request: Request, admission: AuthenticationResult) => Promise<Response>;

/** Everything that is not MCP: the endpoints, and what is said where there is none. */
export function createRest(app: App, endpoints: readonly Endpoint[]): RestHandler {
  const allowed = allowedMethods(endpoints);
  // The path as sent: Hono's own reading unescapes it before it is split, and names may hold a slash.
  const hono = new Hono<Env>({ getPath: (_, { env } = {}) => (env as Env["Bindings"]).admission.path });

  hono.use(async (c, next) => {
    await next();
    if (app.part(auditTrail).isKept) audit(app, c);
  });
  hono.use(async (c, next) => {
    const { refusal, path } = c.env.admission;
    if (refusal) throw refusal;
    readable(path);
    if (locks(c)) throw new Fault("too_many_attempts", { retryAfterMs: c.env.admission.waitMs! });
    if (c.req.method === "OPTIONS") return preflight(c, allowed(path));
    await next();
  });
  for (const e of endpoints)
    hono.on(e.method, e.path.replaceAll(/\{(\w+)\}/g, ":$1"), (c) =>
      serveEndpoint(e, c, app, c.env.admission, endpoints),
    );
  hono.get("/", (c) => c.redirect("/ui/", 302));

  hono.notFound((c) => {
    const { path } = c.env.admission;
    // Nobody learns which paths exist without a credential.
    if (path.startsWith("/api/") && requireCaller(c.env.admission).tier === "anonymous")
      throw new Fault("unauthenticated");
    const allow = allowed(path).join(", ");
    throw allow === ""
      ? new Fault("no_such_route", { path })
      : new Fault("method_not_allowed", { method: c.req.method, path, allow });
  });
  hono.onError((thrown, c) => {
    const { requestId, clientIp } = c.env.admission;
    // A wrong key in a body is a wrong credential as any other.
    const wait = thrown instanceof Fault && thrown.code === "sign_in_refused" ? countFailedAttempt(app, clientIp) : 0;
    const error = wait > 0 ? new Fault("too_many_attempts", { retryAfterMs: wait }) : thrown;
    const { status, headers, body } = faultAnswer(error, requestId, (defect) =>
      app.log.error(`${c.req.method} ${c.env.admission.path} failed`, {
        request_id: requestId,
        stack: defect instanceof Error ? defect.stack : String(defect),
      }),
    );
    return c.json(body, status as ContentfulStatusCode, headers);
  });

  return async (request, admission) => {
    const response = await withRequestId(admission.requestId, () => hono.fetch(request, { admission }));
    for (const [name, value] of Object.entries(admission.headers))
      if (name === "Vary") response.headers.append(name, value);
      else response.headers.set(name, value);
    // Pages have their own, which allow what they need.
    for (const [name, value] of STRICT) if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  };
}

/** What no answer is for: being framed, sniffed, run or kept by a browser. */
const STRICT: readonly (readonly [string, string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Content-Security-Policy", STRICT_CONTENT_POLICY],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Cache-Control", "no-store"],
];

/** A browser that signs in shows its credential in the body, which a locked address is not asked for. */
function locks(c: Context<Env>): boolean {
  const { waitMs, path } = c.env.admission;
  return waitMs !== undefined && path === "/ui/session";
}

/** Where a route asks who is there, that is a decision, and so is a request that came no further than the door. */
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

/** Hono leaves a broken escape as it is; a name that nobody meant must not be looked up. */
function readable(path: string): void {
  if (!isPathTarget(path)) throw new Fault("invalid_request", { reason: "the request target must be a path" });
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new Fault("invalid_request", { reason: "the path is not valid percent-encoded UTF-8" }, { cause });
  }
}

/** True for `/a/b?c`; false for `*`, whole addresses, and backslashes that some readers take for slashes. */
export function isPathTarget(target: string): boolean {
  return target.startsWith("/") && !target.includes("\\");
}

/** A browser asks before it sends; the door has said in the headers whether its page may. */
function preflight(c: Context, methods: string[]): Response {
  const asked = c.req.header("access-control-request-headers");
  return c.body(null, 204, {
    Allow: [...methods, "OPTIONS"].join(", "),
    ...(c.env.admission.headers["Access-Control-Allow-Origin"] !== undefined && {
      "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
      ...(asked !== undefined && /^[\w, -]{1,1000}$/.test(asked) && { "Access-Control-Allow-Headers": asked }),
      "Access-Control-Max-Age": "600",
    }),
  });
}
