import assert from "node:assert/strict";
import * as v from "valibot";
import { type Router, router } from "#handlers/router.ts";
import { type Api, endpoints } from "#handlers/routes.gen.ts";
import type { Endpoint, PathParams } from "#lib/core/api/endpoint.ts";
import type { App } from "#lib/core/app.ts";
import type { ListenerKind } from "#lib/core/schema/caller.ts";
import { TEST_KEY } from "./app.ts";
import { endpointAt, wrongWith } from "./openapi.ts";

type Of<E> =
  E extends Endpoint<string, infer P, infer Q, infer B, infer _I, infer O>
    ? {
        args: (keyof PathParams<P> extends never ? object : { params: PathParams<P> }) &
          (B extends v.GenericSchema
            ? undefined extends v.InferInput<B>
              ? { body?: v.InferInput<B> }
              : { body: v.InferInput<B> }
            : object) &
          (Q extends v.GenericSchema ? { query?: v.InferInput<Q> } : object);
        data: O;
      }
    : never;

/** The requester: the administrator by key, anonymous, or according to the headers. */
export interface As {
  as?: "admin" | "nobody" | Record<string, string>;
  listener?: ListenerKind;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of all kinds of responses
  body: any;
}

const routers = new WeakMap<App, Router>();

/** Calls an endpoint by its route and returns `data`; throws for any status but success, with status and text. */
export async function call<R extends keyof Api & string>(
  app: App,
  route: R,
  args: Of<Api[R]>["args"] & As,
): Promise<Of<Api[R]>["data"]> {
  const { params = {}, query = {}, ...rest } = args as { params?: object; query?: object; body?: unknown } & As;
  const [method, template] = (route as string).split(" ") as [string, string];
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name]!),
  );
  const search = new URLSearchParams(query as Record<string, string>).toString();
  const { status, body } = await ask(app, `${method} ${path}${search && `?${search}`}`, rest);
  if (status >= 400) throw Object.assign(new Error(body.error), { status, code: body.code, body });
  const declared = endpoints.find((e) => e.route === (route as string));
  // The response must match its declaration, without other types and undeclared members.
  if (declared) assert.deepEqual(v.parse(declared.spec.data as v.GenericSchema, body.data), body.data);
  return body.data;
}

/** Sends a request through the router in memory; a body other than text or bytes is sent as JSON. */
export async function ask(
  app: App,
  request: `${string} /${string}` | string,
  { body, as = "admin", listener = "tcp" }: { body?: unknown } & As = {},
): Promise<Answer> {
  const [method, target] = request.split(" ") as [string, string];
  const headers: Record<string, string> = typeof as === "object" ? as : as === "admin" ? { "x-api-key": TEST_KEY } : {};
  const raw = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  let handlers = routers.get(app);
  if (!handlers) {
    handlers = router(app);
    routers.set(app, handlers);
  }
  const response = await handlers.fetch(
    new Request(`http://localhost${target}`, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: raw }),
    }),
    { listener, remote: "127.0.0.1" },
  );
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  // The stream would never end; tests that follow it read the response themselves.
  if (isStream) await response.body?.cancel();
  const text = isStream ? "" : await response.text();
  const json = /^application\/json\b/.test(response.headers.get("content-type") ?? "");
  const sent = json && text !== "" ? JSON.parse(text) : text;
  const answer = { status: response.status, headers: response.headers, body: sent };
  const asked = endpointAt(method, new URL(target, "http://localhost").pathname);
  // Every response in tests is also checked against the API description.
  if (asked) assert.equal(wrongWith(asked, answer), "", `${request.slice(0, 200)} is not answered as /docs/ says`);
  return answer;
}
