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
 * Loads Node's `fetch` and its classes, which takes 20 to 60 ms with those of Node's modules that they need. Each of
 * these has a turn of the event loop of its own.
 */
export const loadFetch = lazy(() =>
  inTurns([
    () => import("node:fs/promises"),
    () => import("node:assert"),
    () => import("node:http2"),
    () => import("node:worker_threads"),
    () => import("node:stream/web"),
    // A global that Node makes at its first use.
    () => globalThis.Response,
  ]),
);

/** Calls functions one by one, each in a turn of the event loop of its own. */
async function inTurns(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    await nextLoopTurn();
    await step();
  }
  await nextLoopTurn();
}
