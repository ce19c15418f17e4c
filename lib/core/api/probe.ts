import type { IncomingMessage, ServerResponse } from "node:http";
import { type App, part } from "../app.ts";
import type { AuthenticationResult } from "./authenticate/authenticate.ts";

interface Finding {
  status: 200 | 503;
  body: Record<string, unknown>;
}

/**
 * Liveness: the process responds. It does not depend on the index, so that it does not change repeatedly (spec 001
 * §4.3).
 */
export function livenessProbe(): Finding & { body: { status: "ok" } } {
  return { status: 200, body: { status: "ok" } };
}

/** Maximum time to wait for the first listings, which is that of one listing (spec 001 §8). (ms) */
const FIRST_LISTINGS_MS = 30_000;

/**
 * Readiness: the tool index is built and the store accepts writes (spec 001 §4.3). A replica of a cluster is ready as
 * long as it may decide without the database, since otherwise an outage would take all replicas out at once. It is not
 * ready any more when it begins to stop.
 *
 * A replica also waits for the upstreams, because others serve meanwhile: until each has listed its tools or failed to,
 * but at most 30 s. So does a single proxy at its first start, when no tool is known yet.
 */
export function readinessProbe(app: App): Finding & { body: { ready: boolean } } {
  const { catalog, store } = app;
  const isStoreReady = (store.sharedConfig ? store.outdated() : store.problem()) === undefined;
  const isWaiting = (catalog.isFirst || store.sharedConfig !== undefined) && !isListed(app);
  const ready = catalog.ready && isStoreReady && !isWaiting && !app.boot.isStopping;
  return { status: ready ? 200 : 503, body: { ready } };
}

/** What is over once: a server that connects again later takes no replica out of the load balancer. */
const firstListings = part("firstListings", () => ({ areOver: false }));

function isListed(app: App): boolean {
  const state = app.part(firstListings);
  state.areOver ||= !isListing(app);
  return state.areOver;
}

/** True if a server has not completed its first attempt since the start. */
function isListing({ boot, clock, config, upstreams }: App): boolean {
  if (clock.now() - boot.startedAt > FIRST_LISTINGS_MS) return false;
  return config.current().mcpServers.some(({ name, enabled }) => {
    const status = enabled ? upstreams.get(name)?.status() : undefined;
    if (!status || status.lastError !== undefined || status.authRequired) return false;
    return status.state === "Connecting" || (status.state === "Ready" && status.listing?.listed === false);
  });
}

const PROBES: Record<string, (app: App) => Finding> = { "/healthz": livenessProbe, "/readyz": readinessProbe };

/**
 * Answers a probe directly on Node's response object, so that frequent probes take almost no time, even during the
 * start.
 *
 * @returns false if the request is not a plain probe; then nothing was sent
 */
export function answerProbe(
  app: App,
  req: IncomingMessage,
  res: ServerResponse,
  admission: AuthenticationResult,
): boolean {
  const probe = req.method === "GET" && Object.hasOwn(PROBES, admission.path) ? PROBES[admission.path] : undefined;
  if (!probe || admission.refusal) return false;
  const { status, body } = probe(app);
  const text = JSON.stringify(body);
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    ...(app.boot.worker && { "X-Proxy-Worker": String(app.boot.worker.number) }),
  };
  res.writeHead(status, headers).end(text);
  return true;
}
