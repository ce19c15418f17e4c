import type * as v from "valibot";
import type { Endpoint, PathParams } from "../core/api/endpoint.ts";
import { Fault } from "../core/base/fault.ts";
import { RestError } from "./error.ts";

/** One request, built from an endpoint's route and arguments. */
export interface RestRequest {
  method: string;
  /** Path and query, encoded. */
  path: string;
  body?: string;
  /** What the proxy is to call this request in its records. */
  requestId?: string;
  signal: AbortSignal;
  maxBytes: number;
}

export interface RestResponse {
  status: number;
  text: string;
}

/** Sends a request to a proxy and returns the response: over a socket, over HTTP, or within the process. */
export type Send = (request: RestRequest) => Promise<RestResponse>;

export interface CallOptions {
  signal?: AbortSignal;
  /** Timeout of the complete response (ms). */
  timeoutMs?: number;
  /** What the proxy is to call this request in its records; one of its own unless said. */
  requestId?: string;
}

// biome-ignore lint/complexity/noBannedTypes: nothing is added where an endpoint takes nothing
type None = {};
type Query<Q> = Q extends v.GenericSchema ? { query?: v.InferInput<Q> } : None;
type Body<B> = B extends v.GenericSchema
  ? undefined extends v.InferInput<B>
    ? { body?: v.InferInput<B> }
    : { body: v.InferInput<B> }
  : None;
type Path<P extends string> = keyof PathParams<P> extends never ? None : { params: PathParams<P> };
/** The arguments of an endpoint. */
export type ArgsOf<E> =
  E extends Endpoint<string, infer P, infer Q, infer B, infer _I, infer _O> ? Path<P> & Query<Q> & Body<B> : never;
/** The result of an endpoint. */
export type DataOf<E> = E extends Endpoint<string, infer _P, infer _Q, infer _B, infer _I, infer O> ? O : never;

/** Calls an endpoint by its route; arguments and result have the endpoint's types. */
export type Call<Api> = <R extends keyof Api & string>(
  route: R,
  args: ArgsOf<Api[R]>,
  options?: CallOptions,
) => Promise<DataOf<Api[R]>>;

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Creates a function that calls endpoints with their own types: `call("GET /api/v1/routing", {})`.
 *
 * It throws RestError for an error response, Fault client_timeout on timeout, and the errors of `send`.
 */
export function client<Api>(send: Send): Call<Api> {
  return async (route, args, options) => read(await requestRoute(send, route, args as Loose, options), route);
}

/** Arguments of a route whose endpoint the compiler does not know. */
export interface Loose {
  params?: Record<string, string> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** Sends a request by route and arguments, and returns the complete response in any format. */
export async function requestRoute(
  send: Send,
  route: string,
  { params, query, body }: Loose,
  { signal, timeoutMs = TIMEOUT_MS, requestId }: CallOptions = {},
): Promise<RestResponse> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const request: RestRequest = {
    ...requestLine(route, { params, query }),
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    maxBytes: MAX_BYTES,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(requestId !== undefined && { requestId }),
  };
  try {
    return await send(request);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (deadline.aborted) throw new Fault("client_timeout", { route, ms: timeoutMs });
    throw error;
  }
}

/** Builds method and path of a request from its route and arguments. */
export function requestLine(route: string, { params, query }: Loose): Pick<RestRequest, "method" | "path"> {
  const [method = "", template = ""] = route.split(" ");
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params?.[name] ?? ""));
  return { method, path: path + search(query) };
}

function search(query: Record<string, unknown> | undefined): string {
  const set = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return set.length === 0
    ? ""
    : `?${new URLSearchParams(Object.fromEntries(set.map(([k, value]) => [k, String(value)])))}`;
}

function read<T>(answered: RestResponse, route: string): T {
  const { status, text } = answered;
  const answer = parse(text);
  if (status >= 200 && status < 300 && answer) return answer.data as T;
  throw restFailure(answered, route);
}

/** Converts an error response: to RestError, or Fault client_misunderstood if it has another format. */
export function restFailure({ status, text }: RestResponse, route: string): Error {
  const answer = parse(text);
  if (typeof answer?.error !== "string") return new Fault("client_misunderstood", { route, status });
  return new RestError({
    status,
    message: answer.error,
    code: typeof answer.code === "string" ? answer.code : "error",
    requestId: typeof answer.request_id === "string" ? answer.request_id : undefined,
    body: answer,
  });
}

/** Parses a response that is a JSON object; undefined for any other. */
export function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
