import type { Context } from "hono";
import * as v from "valibot";
import type { App } from "../app.ts";
import type { ByteHold } from "../base/byte-budget.ts";
import { Fault, type FaultCode } from "../base/fault.ts";
import { type Actor, ANONYMOUS_CALLER, actorName, type Caller } from "../schema/caller.ts";
import { issueText, plainIssueText } from "../schema/issue.ts";
import { unknownField } from "../schema/unknown-fields.ts";
import { type CredentialExpiry, watchCredential } from "../verbs/tokens/credential-expiry.ts";
import { answerJson } from "./answer.ts";
import { type AuthenticationResult, requireCaller } from "./authenticate/authenticate.ts";
import { requestBodyBudget } from "./body-budget.ts";
import { dryRun } from "./dry-run.ts";
import { idempotency } from "./idempotency.ts";
import { requestJobs } from "./jobs.ts";
import { readJsonBody, readOptionalJsonBody } from "./json-body.ts";
import { readQuery } from "./read-query.ts";
import { answerAccepted, idempotencyKey, isTrue, prefersAsync, VALIDATE_ONLY } from "./request-options.ts";
import { checkPrecondition } from "./revision.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type ParamNames<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | ParamNames<R> : never;
export type PathParams<P extends string> = { [K in ParamNames<P>]: string };
type Schema = v.GenericSchema;
type Out<S extends Schema | undefined> = S extends Schema ? v.InferOutput<S> : undefined;

type Reply<I> = I | Response | Promise<I | Response>;

/** What one call of an endpoint sees. */
export interface EndpointCall<P extends string, Q extends Schema | undefined, B extends Schema | undefined> {
  app: App;
  caller: Caller;
  /** The caller and where the request came from, for verbs that change or record something. */
  by: Actor;
  params: PathParams<P>;
  query: Out<Q>;
  body: Out<B>;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  /** The Hono context, for the few endpoints that stream or redirect. */
  c: Context;
  /** Every endpoint there is, for the one that describes them. */
  endpoints: readonly Endpoint[];
}

/** What an endpoint answers that its `data` does not tell. */
export interface EndpointAnswers {
  /** Status of a success; 200 unless said otherwise. */
  status?: number;
  /** `data` is the whole body. */
  bare?: true;
  /** Media types of a body that is no JSON, and whether there is one in JSON too. */
  types?: readonly string[];
  json?: false;
  /** `data` of the events of a stream, by their `event`. */
  events?: Readonly<Record<string, v.GenericSchema>>;
  /** An answer to GET that has an ETag though it is not JSON in the envelope (`isConditional`). */
  conditional?: true;
  /** The member of `data` that lists records, which the parameter `fields` cuts down. */
  sparse?: string;
  /** Statuses of failures that are told as a page, in the first of `types`. */
  pages?: readonly number[];
  /** Bodies of an own shape by status, instead of the general one or beside it. */
  others?: Readonly<Record<number, v.GenericSchema>>;
}

interface EndpointSpec<P extends string, Q extends Schema | undefined, B extends Schema | undefined, I, O> {
  summary: string;
  /**
   * Who may call it. Left out means admin: a forgotten line refuses, never admits. `user` is somebody who is signed in in
   * the multi-user edition, administrator or not; no key and no agent token is.
   */
  access?: "open" | "read" | "user" | "admin";
  /** Left out: none is accepted. See `readQuery` for addresses that others build. */
  query?: Q;
  /**
   * Members that it does not name are refused. A POST all of whose members are optional may come without a body, and so
   * may what is `v.optional(…, {})`.
   */
  body?: B;
  /** Instead of a JSON body: the member of a multipart form that holds a file, for the reference. */
  upload?: string;
  /** Largest body (bytes); 1 MiB unless said otherwise. */
  bodyLimit?: number;
  /** Status of a larger one, where the specification asks for another than 413. */
  oversize?: 400;
  data: v.GenericSchema<I, O>;
  /** The fields stand at top level too, beside the envelope (decisions §5: status). */
  flat?: true;
  /** How a body that cannot be taken is answered, where the general shape of a failure is not asked for. */
  refuseBody?(fault: Fault, requestId: string): Response;
  /** Further headers that a request may have, for the reference: name to meaning. */
  headers?: Readonly<Record<string, string>>;
  /** A POST that makes something: repeated with the same `Idempotency-Key`, it gives the first answer again. */
  creates?: true;
  /** It may be asked what it would do (`?validate_only=true`): see `dry-run.ts` for what such a run leaves alone. */
  validates?: true;
  /** It may take long, and goes on behind a 202 for whoever sends `Prefer: respond-async`. */
  deferrable?: true;
  /** Faults named in the reference, beyond 400, 401, 403 and 500 which any endpoint may give. */
  faults?: readonly FaultCode[];
  /** For the reference, where a success is not status 200 with the envelope around `data`. */
  answers?: EndpointAnswers;
  run(call: EndpointCall<P, Q, B>): Reply<NoInfer<I>>;
}

export interface Endpoint<
  R extends string = string,
  P extends string = string,
  // biome-ignore lint/suspicious/noExplicitAny: endpoints of every type stand in one list
  Q extends Schema | undefined = any,
  // biome-ignore lint/suspicious/noExplicitAny: the same
  B extends Schema | undefined = any,
  // biome-ignore lint/suspicious/noExplicitAny: the same
  I = any,
  // biome-ignore lint/suspicious/noExplicitAny: the same
  O = any,
> {
  route: R;
  method: Method;
  path: P;
  spec: EndpointSpec<P, Q, B, I, O>;
}

/** Declares one endpoint; `route` is written exactly as the specification writes it. */
export function endpoint<
  const M extends Method,
  const P extends string,
  const I,
  O,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(route: `${M} ${P}`, spec: EndpointSpec<P, Q, B, I, O>): Endpoint<`${M} ${P}`, P, Q, B, I, O> {
  const [method, path] = route.split(" ") as [M, P];
  return { route: route as `${M} ${P}`, method, path, spec };
}

/** Whether a success carries an ETag, so that `If-None-Match` may turn it into a 304. */
export function isConditional({ method, spec: { answers = {} } }: Pick<Endpoint, "method" | "spec">): boolean {
  return method === "GET" && (answers.conditional ?? (!answers.bare && answers.json !== false));
}

/** Runs an endpoint for one HTTP request: admit, read, check, run, wrap. */
export async function serveEndpoint(
  e: Endpoint,
  c: Context,
  app: App,
  admission: AuthenticationResult,
  endpoints: readonly Endpoint[],
): Promise<Response> {
  const { spec } = e;
  const access = spec.access ?? "admin";
  // A probe or page that needs no credential does not fail over a stale one.
  const caller = access === "open" && admission.caller === "invalid" ? ANONYMOUS_CALLER : requireCaller(admission);
  admit(access, caller);
  const { [VALIDATE_ONLY]: validateOnly, ...sent } = readQuery(
    spec.query,
    admission.query,
    spec.validates ? [VALIDATE_ONLY] : [],
  );
  const query = spec.query && check(spec.query, sent);
  // What is read is held until the answer is made.
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
  /** @param more aborts as well when this does */
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
        // Asked for by few, and making one costs more than the rest of a small request.
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

/** A token that ends meanwhile ends what it asked for, and that is what its holder is told. */
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

/** A request without members, for endpoints that take none. */
const EMPTY = v.object({});

async function readBody(e: Endpoint, request: Request, hold: ByteHold): Promise<unknown> {
  const { body, bodyLimit, oversize, upload } = e.spec;
  if (e.method === "GET" || upload !== undefined) return undefined;
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

/** Whether a request may come without a body. */
export function isBodyOptional({ method, spec: { body } }: Endpoint): boolean {
  if (!body || body.type === "optional") return true;
  const isObject = body.type === "object" || body.type === "strict_object";
  return method === "POST" && isObject && v.is(body, {});
}

/** The command line says who it is, so that records can tell it from other clients of the same API. */
export function requestOrigin(c: Context, { requestId, clientIp }: AuthenticationResult): Actor["origin"] {
  const source = c.req.header("user-agent")?.startsWith("proxy-cli") ? "cli" : "api";
  return { source, requestId, ...(clientIp !== undefined && { clientIp }) };
}

function admit(access: "open" | "read" | "user" | "admin", caller: Caller): void {
  if (access === "open") return;
  if (caller.tier === "anonymous") throw new Fault("unauthenticated");
  if (access === "user" && (!caller.user || caller.user.by === "token")) throw new Fault("user_required");
  if (access === "admin" && caller.tier !== "admin") throw new Fault("admin_required");
}

function check<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const r = v.safeParse(schema, value, { message: plainIssueText });
  if (r.success) return r.output;
  throw new Fault("invalid_request", { reason: issueText(r.issues) });
}
