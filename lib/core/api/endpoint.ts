import type { Context } from "hono";
import * as v from "valibot";
import type { App } from "../app.ts";
import type { Fault, FaultCode } from "../base/fault.ts";
import type { Actor, Caller } from "../schema/caller.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type ParamNames<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | ParamNames<R> : never;
export type PathParams<P extends string> = { [K in ParamNames<P>]: string };
type Schema = v.GenericSchema;
type Out<S extends Schema | undefined> = S extends Schema ? v.InferOutput<S> : undefined;

type Reply<I> = I | Response | Promise<I | Response>;

/** The input of one endpoint call. */
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
   * Who may call the endpoint. The default is admin, so that a forgotten line never grants access. `user` is a signed-in
   * user of the multi-user edition, administrator or not; a key or an agent token does not count.
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
  /** A POST that creates something: repeated with the same `Idempotency-Key`, it replays the first response. */
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

/** Whether a request may come without a body. */
export function isBodyOptional({ method, spec: { body } }: Endpoint): boolean {
  if (!body || body.type === "optional") return true;
  const isObject = body.type === "object" || body.type === "strict_object";
  return method === "POST" && isObject && v.is(body, {});
}
