import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "../app.ts";
import type { AuthenticationResult } from "./authenticate/authenticate.ts";

interface Finding {
  status: 200 | 503;
  body: Record<string, unknown>;
}

/** Liveness: the process answers. Says nothing about the index, so that it does not flap (spec 001 §4.3). */
export function livenessProbe(): Finding & { body: { status: "ok" } } {
  return { status: 200, body: { status: "ok" } };
}

/** Longest wait for the first listings: that of one listing (spec 001 §8). (ms) */
const FIRST_LISTINGS_MS = 30_000;

/**
 * Readiness: the tool index is built and the store takes writes (spec 001 §4.3). Upstreams are waited for on the first
 * start alone, when no tool is known yet: until each has listed its tools or failed to, and for 30 s at most.
 */
export function readinessProbe(app: App): Finding & { body: { ready: boolean } } {
  const { catalog, store } = app;
  const ready = catalog.ready && store.problem() === undefined && !(catalog.isFirst && isListing(app));
  return { status: ready ? 200 : 503, body: { ready } };
}

/** Whether a server has not answered for the first time since the start. */
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
 * Answers a probe on Node's own response, so that who asks all the time, and from the first moment, costs next to
 * nothing.
 *
 * @returns false for what is no plain probe; nothing was answered then
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
  };
  res.writeHead(status, headers).end(text);
  return true;
}
