import type { Context } from "hono";
import * as v from "valibot";
import type { App } from "../app.ts";
import type { Fault, FaultCode } from "../base/fault.ts";
import type { Actor, Caller } from "../schema/caller.ts";
import type { FailureForm } from "./failure-form.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type ParamNames<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | ParamNames<R> : never;
export type PathParams<P extends string> = { [K in ParamNames<P>]: string };
type Schema = v.GenericSchema;
type Out<S extends Schema | undefined> = S extends Schema ? v.InferOutput<S> : undefined;

type Reply<I> = I | Response | Promise<I | Response>;

/** The input of one call of an endpoint. */
export interface EndpointCall<P extends string, Q extends Schema | undefined, B extends Schema | undefined> {
  app: App;
  caller: Caller;
  /** The caller and the origin of the request, for verbs that change or record something. */
  by: Actor;
  params: PathParams<P>;
  query: Out<Q>;
  body: Out<B>;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** The Hono context, for the few endpoints that stream or redirect. */
  c: Context;
  /** All endpoints, for the endpoint that describes them. */
  endpoints: readonly Endpoint[];
}

/** Properties of an endpoint's responses that do not follow from its `data`. */
export interface EndpointAnswers {
  /** Status of a successful response; by default 200. */
  status?: number;
  /** If set, `data` is the whole body, without the envelope. */
  bare?: true;
  /** Media types of a body that is not JSON, and whether the endpoint can also return JSON. */
  types?: readonly string[];
  json?: false;
  /** The schemas of `data` in the events of a stream, by event kind. */
  events?: Readonly<Record<string, v.GenericSchema>>;
  /** Set for a GET response that has an ETag although it is not JSON in the envelope (`isConditional`). */
  conditional?: true;
  /** The member of `data` with the records to which the parameter `fields` applies. */
  sparse?: string;
  /** Statuses of failures that are sent as a page of the first type in `types`. */
  pages?: readonly number[];
  /** Schemas of bodies with a different form, by status; the general form may occur as well. */
  others?: Readonly<Record<number, v.GenericSchema>>;
}

/** Who may call an endpoint. */
export type EndpointAccess = "open" | "read" | "user" | "person" | "admin";

interface EndpointSpec<P extends string, Q extends Schema | undefined, B extends Schema | undefined, I, O> {
  summary: string;
  /**
   * Who may call the endpoint. The default is admin, so that a forgotten line never grants access. `user` is a
   * signed-in user of the multi-user edition, administrator or not, and neither the API key nor an agent token. `person`
   * is whoever is signed in to the panel in a browser, in both editions.
   */
  access?: EndpointAccess;
  /** Absent: query parameters are rejected. See `readQuery` for URLs that other programs build. */
  query?: Q;
  /**
   * Schema of the body; other members are rejected. If all members are optional, or the schema is `v.optional(…, {})`,
   * a POST may have no body.
   */
  body?: B;
  /** For the reference: the member of a multipart form that contains a file, if the body is not JSON. */
  upload?: string;
  /** Set if the body is a form (`application/x-www-form-urlencoded`), which the endpoint reads itself. */
  form?: true;
  /**
   * Set for endpoints of OAuth, which pages of every origin may call (RFC 8414, RFC 9728): they use no cookie, and their
   * responses contain nothing that the caller did not prove to own.
   */
  crossOrigin?: true;
  /** Maximum size of the body (bytes); by default 1 MiB. */
  bodyLimit?: number;
  /** Status of a response to a larger body, if the specification requires another one than 413. */
  oversize?: 400;
  data: v.GenericSchema<I, O>;
  /** If set, the members of `data` are also at the top level, beside the envelope (decisions §5: status). */
  flat?: true;
  /** The form of all failures of the endpoint, if it is not the general one. */
  failure?: FailureForm;
  /** Makes the response to an invalid body, if it must not have the general form of a failure. */
  refuseBody?(fault: Fault, requestId: string): Response;
  /** For the reference: additional request headers with their descriptions. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Set for a POST that creates something: if it is repeated with the same `Idempotency-Key`, the first response is
   * sent again.
   */
  creates?: true;
  /** If set, the request can be made with `?validate_only=true`; see `dry-run.ts`. */
  validates?: true;
  /**
   * Set for requests that may take long: a client that sends `Prefer: respond-async` gets a 202 while the work
   * continues.
   */
  deferrable?: true;
  /** Faults for the reference, in addition to 400, 401, 403 and 500, which every endpoint may return. */
  faults?: readonly FaultCode[];
  /** For the reference, if a successful response is not status 200 with the envelope around `data`. */
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

/** Declares one endpoint. `route` is written exactly as in the specification. */
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

/** True if successful responses have an ETag, so that `If-None-Match` may result in a 304. */
export function isConditional({ method, spec: { answers = {} } }: Pick<Endpoint, "method" | "spec">): boolean {
  return method === "GET" && (answers.conditional ?? (!answers.bare && answers.json !== false));
}

/** True if a request may have no body. */
export function isBodyOptional({ method, spec: { body } }: Endpoint): boolean {
  if (!body || body.type === "optional") return true;
  const isObject = body.type === "object" || body.type === "strict_object";
  return method === "POST" && isObject && v.is(body, {});
}
