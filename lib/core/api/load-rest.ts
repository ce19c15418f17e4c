import type { App } from "../app.ts";
import { lazy } from "../base/lazy.ts";
import { loopShare, nextLoopTurn } from "../base/loop-share.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RestHandler } from "./rest.ts";

/** Loads the file of an endpoint. */
export type EndpointLoader = () => Promise<{ default: Endpoint }>;

/** Loads what calls the REST endpoints. */
export async function loadRest(app: App, endpoints: readonly Endpoint[]): Promise<RestHandler> {
  const { createRest } = await import("./rest.ts");
  await nextLoopTurn();
  const handler = createRest(app, endpoints);
  await nextLoopTurn();
  return handler;
}

/** Loads the REST endpoints in pieces that share the event loop: together they take 60 to 90 ms. */
export async function loadEndpoints(loaders: readonly EndpointLoader[]): Promise<Endpoint[]> {
  // Packages that some endpoint needs, and that take about as long as all the endpoints.
  await inTurns([() => import("hono"), () => import("diff"), () => import("yaml"), () => import("smol-toml")]);
  const endpoints: Endpoint[] = [];
  const pause = loopShare();
  for (const load of loaders) {
    endpoints.push((await load()).default);
    await pause();
  }
  await nextLoopTurn();
  return endpoints;
}

/**
 * Loads the classes of `fetch` and makes them global, each of their modules in a turn of the event loop of its own. They
 * are those of the package undici: Node's own are one module, which takes 20 to 30 ms at the first use of one of them.
 */
export const loadFetch = lazy(async () => {
  await inTurns([
    () => import("node:assert"),
    () => import("node:http2"),
    () => import("node:stream/web"),
    () => import("node:perf_hooks"),
    // A global that Node makes at its first use.
    () => globalThis.File,
    // Loads the script that undici's modules are in, too.
    () => import("hono"),
    () => import("undici/lib/core/util.js"),
    () => import("undici/lib/web/webidl/index.js"),
    () => import("undici/lib/web/fetch/util.js"),
    () => import("undici/lib/web/fetch/body.js"),
  ]);
  const { FormData } = await import("undici/lib/web/fetch/formdata.js");
  const { Headers } = await import("undici/lib/web/fetch/headers.js");
  const { Response } = await import("undici/lib/web/fetch/response.js");
  // After the response, whose module makes what this one uses to read a body.
  const { Request } = await import("undici/lib/web/fetch/request.js");
  // `Object.defineProperty` would load Node's own classes first.
  Object.assign(globalThis, { FormData, Headers, Request, Response });
  await nextLoopTurn();
});

/** Calls functions one by one, each in a turn of the event loop of its own. */
async function inTurns(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    await nextLoopTurn();
    await step();
  }
  await nextLoopTurn();
}
