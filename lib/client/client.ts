import type * as v from "valibot";
import { Fault } from "../base/fault.ts";
import type { Endpoint, Params } from "../http/endpoint.ts";
import { RestError } from "./error.ts";

/** One request, made of an endpoint's route and arguments. */
export interface Asked {
  method: string;
  /** Path and query, encoded. */
  path: string;
  body?: string;
  signal: AbortSignal;
  maxBytes: number;
}

export interface Answered {
  status: number;
  text: string;
}

/** Carries a request to a proxy and its answer back: over a socket, over HTTP, or within the process. */
export type Send = (asked: Asked) => Promise<Answered>;

export interface CallOptions {
  signal?: AbortSignal;
  /** Longest wait for the whole answer (ms). */
  timeoutMs?: number;
}

// biome-ignore lint/complexity/noBannedTypes: nothing is added where an endpoint takes nothing
type None = {};
type Query<Q> = Q extends v.GenericSchema ? { query?: v.InferInput<Q> } : None;
type Body<B> = B extends v.GenericSchema ? { body: v.InferInput<B> } : None;
type Path<P extends string> = keyof Params<P> extends never ? None : { params: Params<P> };
type ArgsOf<E> =
  E extends Endpoint<string, infer P, infer Q, infer B, infer _I, infer _O> ? Path<P> & Query<Q> & Body<B> : never;
type DataOf<E> = E extends Endpoint<string, infer _P, infer _Q, infer _B, infer _I, infer O> ? O : never;

/** Asks an endpoint by the string it is declared with; arguments and answer have the endpoint's own types. */
export type Call<Api> = <R extends keyof Api & string>(
  route: R,
  args: ArgsOf<Api[R]>,
  options?: CallOptions,
) => Promise<DataOf<Api[R]>>;

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * A caller typed by the endpoints themselves: `call("GET /api/v1/routing", {})`.
 *
 * It throws RestError when the proxy refuses, Fault client_timeout when it takes too long, and what `send` throws.
 */
export function client<Api>(send: Send): Call<Api> {
  return async (route, args, { signal, timeoutMs = TIMEOUT_MS } = {}) => {
    const [method = "", template = ""] = route.split(" ");
    const { params, query, body } = args as Loose;
    const deadline = AbortSignal.timeout(timeoutMs);
    const asked: Asked = {
      method,
      path: template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params?.[name] ?? "")) + search(query),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      maxBytes: MAX_BYTES,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    try {
      return read(await send(asked), route);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (deadline.aborted) throw new Fault("client_timeout", { route, ms: timeoutMs });
      throw error;
    }
  };
}

interface Loose {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

function search(query: Record<string, unknown> | undefined): string {
  const set = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return set.length === 0
    ? ""
    : `?${new URLSearchParams(Object.fromEntries(set.map(([k, value]) => [k, String(value)])))}`;
}

function read<T>({ status, text }: Answered, route: string): T {
  const answer = parse(text);
  if (status >= 200 && status < 300 && answer) return answer.data as T;
  if (answer && typeof answer.error === "string")
    throw new RestError({
      status,
      message: answer.error,
      code: typeof answer.code === "string" ? answer.code : "error",
      requestId: typeof answer.request_id === "string" ? answer.request_id : undefined,
    });
  throw new Fault("client_misunderstood", { route, status });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
