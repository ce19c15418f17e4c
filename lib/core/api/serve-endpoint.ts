import type { Context } from "hono";
import * as v from "valibot";
import type { App } from "../app.ts";
import type { ByteHold } from "../base/byte-budget.ts";
import { Fault } from "../base/fault.ts";
import { type Actor, ANONYMOUS_CALLER, actorName, type Caller } from "../schema/caller.ts";
import { issueText, plainIssueText } from "../schema/issue.ts";
import { unknownField } from "../schema/unknown-fields.ts";
import { type CredentialExpiry, watchCredential } from "../verbs/tokens/credential-expiry.ts";
import { answerJson } from "./answer.ts";
import { type AuthenticationResult, requireCaller } from "./authenticate/authenticate.ts";
import { dryRun } from "./dry-run.ts";
import { type Endpoint, type EndpointAccess, isBodyOptional } from "./endpoint.ts";
import { idempotency } from "./idempotency.ts";
import { requestJobs } from "./jobs.ts";
import { readJsonBody, readOptionalJsonBody } from "./read-json-body.ts";
import { readQuery } from "./read-query.ts";
import { requestBodyBudget } from "./request-body-budget.ts";
import { answerAccepted, idempotencyKey, isTrue, prefersAsync, VALIDATE_ONLY } from "./request-options.ts";
import { checkPrecondition } from "./revision.ts";

/**
 * Handles one HTTP request to an endpoint: checks access, reads and checks the input, runs the endpoint, wraps its
 * result.
 */
export async function serveEndpoint(
  e: Endpoint,
  c: Context,
  app: App,
  admission: AuthenticationResult,
  endpoints: readonly Endpoint[],
): Promise<Response> {
  const { spec } = e;
  const access = spec.access ?? "admin";
  // A probe or page that needs no credential must not fail because the client sends an outdated one.
  const caller = access === "open" && admission.caller === "invalid" ? ANONYMOUS_CALLER : requireCaller(admission);
  admit(access, caller);
  const { [VALIDATE_ONLY]: validateOnly, ...sent } = readQuery(
    spec.query,
    admission.query,
    spec.validates ? [VALIDATE_ONLY] : [],
  );
  const query = spec.query && check(spec.query, sent);
  // The request body counts against the memory limit until the response is made.
  const hold = app.part(requestBodyBudget).hold();
  try {
    return await answered(e, c, app, { admission, caller, query, validateOnly, endpoints, hold });
  } finally {
    hold.end();
  }
}

interface Serving {
  admission: AuthenticationResult;
  caller: Caller;
  query: unknown;
  validateOnly: string | undefined;
  endpoints: readonly Endpoint[];
  hold: ByteHold;
}

async function answered(
  e: Endpoint,
  c: Context,
  app: App,
  { admission, caller, query, validateOnly, endpoints, hold }: Serving,
): Promise<Response> {
  const { spec } = e;
  const body = await readBody(e, c.req.raw, hold).catch((error: unknown) => {
    if (!spec.refuseBody || !(error instanceof Fault)) throw error;
    return spec.refuseBody(error, admission.requestId);
  });
  if (body instanceof Response) return body;
  const expected = checkPrecondition(app, e, c);
  const by = { caller, origin: requestOrigin(c, admission), ...(expected && { expected }) };
  const params = c.req.param();
  /** @param more a second signal that aborts the run */
  const run = (on: App, more?: AbortSignal) => {
    let good: CredentialExpiry | undefined;
    const call = async () =>
      spec.run({
        app: on,
        caller,
        by,
        params: params as never,
        query,
        body,
        // The signal is made on first use: few endpoints use it, and making it takes longer than the rest of a small
        // request.
        get signal() {
          good ??= watchCredential(app, caller);
          const own = more ?? c.req.raw.signal;
          return good ? AbortSignal.any([own, good.signal]) : own;
        },
        c,
        endpoints,
      });
    return whileGood(call, () => good);
  };
  if (validateOnly !== undefined && isTrue(VALIDATE_ONLY, validateOnly))
    return answerJson(c, { success: true, data: await dryRun(app, run) });
  if (spec.deferrable && prefersAsync(c)) {
    const job = app
      .part(requestJobs)
      .start(`${e.method} ${admission.path}`, actorName(caller), (signal) => run(app, signal));
    return answerAccepted(c, job);
  }
  const key = spec.creates && idempotencyKey(c);
  if (key !== undefined) {
    const meant = { key, caller, request: { route: e.route, params, query, body } };
    const { value, isRepeated } = await app.part(idempotency).once(meant, () => run(app));
    if (isRepeated) c.header("Idempotency-Replayed", "true");
    c.status((spec.answers?.status ?? 200) as 200);
    return answerJson(c, wrapped(spec, value));
  }
  const data = await run(app);
  if (data instanceof Response) return data;
  return answerJson(c, wrapped(spec, data));
}

function wrapped({ flat }: Endpoint["spec"], data: object): object {
  return flat ? { ...data, success: true, data } : { success: true, data };
}

/** Runs a request. If the caller's token ends meanwhile, the request fails with that reason. */
async function whileGood<T>(run: () => Promise<T>, good: () => CredentialExpiry | undefined): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const signal = good()?.signal;
    throw signal?.aborted ? signal.reason : error;
  } finally {
    good()?.stop();
  }
}

/** The schema of endpoints without parameters. */
const EMPTY = v.object({});

async function readBody(e: Endpoint, request: Request, hold: ByteHold): Promise<unknown> {
  const { body, bodyLimit, oversize, upload, form } = e.spec;
  if (e.method === "GET" || upload !== undefined || form) return undefined;
  try {
    const value = await (isBodyOptional(e) ? readOptionalJsonBody : readJsonBody)(request, bodyLimit, hold);
    const unknown = unknownField(body ?? EMPTY, value);
    if (unknown !== undefined) throw new Fault("invalid_request", { reason: unknown });
    return body && check(body, value);
  } catch (cause) {
    if (oversize === undefined || !(cause instanceof Fault) || cause.code !== "body_too_large") throw cause;
    throw new Fault("invalid_request", { reason: cause.message }, { cause });
  }
}

/** The command line identifies itself, so that records distinguish it from other clients of the API. */
export function requestOrigin(c: Context, { requestId, clientIp }: AuthenticationResult): Actor["origin"] {
  const source = c.req.header("user-agent")?.startsWith("proxy-cli") ? "cli" : "api";
  return { source, requestId, ...(clientIp !== undefined && { clientIp }) };
}

function admit(access: EndpointAccess, caller: Caller): void {
  if (access === "open") return;
  if (caller.tier === "anonymous") throw new Fault("unauthenticated");
  if (access === "user" && (!caller.user || caller.user.by === "token")) throw new Fault("user_required");
  if (access === "person" && caller.signIn === undefined && caller.user?.by !== "session")
    throw new Fault("person_required");
  if (access === "admin" && caller.tier !== "admin") throw new Fault("admin_required");
}

function check<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const r = v.safeParse(schema, value, { message: plainIssueText });
  if (r.success) return r.output;
  throw new Fault("invalid_request", { reason: issueText(r.issues) });
}
