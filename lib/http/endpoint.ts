import type { Context } from "hono";
import * as v from "valibot";
import type { App } from "../app.ts";
import { Fault, type FaultCode } from "../base/fault.ts";
import type { Caller } from "../shape/caller.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type ParamNames<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | ParamNames<R> : never;
export type Params<P extends string> = { [K in ParamNames<P>]: string };
type Schema = v.GenericSchema;
type Out<S extends Schema | undefined> = S extends Schema ? v.InferOutput<S> : undefined;

type Reply<I> = I | Response | Promise<I | Response>;

/** What one call of an endpoint sees. */
export interface Call<P extends string, Q extends Schema | undefined, B extends Schema | undefined> {
  app: App;
  caller: Caller;
  params: Params<P>;
  query: Out<Q>;
  body: Out<B>;
  /** The Hono context, for the few endpoints that stream or redirect. */
  c: Context;
}

export interface EndpointSpec<P extends string, Q extends Schema | undefined, B extends Schema | undefined, I, O> {
  summary: string;
  /** Who may call it. Left out means admin: a forgotten line refuses, never admits. */
  access?: "open" | "read" | "admin";
  query?: Q;
  body?: B;
  data: v.GenericSchema<I, O>;
  /** Faults worth naming in the reference, beyond 400, 401, 403 and 500 which any endpoint may give. */
  faults?: readonly FaultCode[];
  run(call: Call<P, Q, B>): Reply<NoInfer<I>>;
}

export interface Endpoint<
  R extends string = string,
  P extends string = string,
  Q extends Schema | undefined = any,
  B extends Schema | undefined = any,
  I = any,
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

/** Runs an endpoint for one HTTP request: read, check, run, wrap. */
export async function serve(e: Endpoint, c: Context, app: App, caller: Caller): Promise<Response> {
  const { spec } = e;
  admit(spec.access ?? "admin", caller);
  const query = spec.query && check(spec.query, c.req.query());
  const body = spec.body && check(spec.body, await c.req.json().catch(() => undefined));
  const data = await spec.run({ app, caller, params: c.req.param() as never, query, body, c });
  return data instanceof Response ? data : c.json({ success: true, data });
}

function admit(access: "open" | "read" | "admin", caller: Caller): void {
  if (access === "open") return;
  if (caller.tier === "anonymous") throw new Fault("unauthenticated");
  if (access === "admin" && caller.tier !== "admin") throw new Fault("admin_required");
}

function check<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const r = v.safeParse(schema, value);
  if (r.success) return r.output;
  const [first] = r.issues;
  const at = v.getDotPath(first);
  throw new Fault("invalid_request", { reason: at ? `${at}: ${first.message}` : first.message });
}
