import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "../app.ts";
import type { Admission } from "./door.ts";

interface Finding {
  status: 200 | 503;
  body: Record<string, unknown>;
}

/** Liveness: the process answers. Says nothing about the index, so that it does not flap (spec 001 §4.3). */
export function alive(): Finding & { body: { status: "ok" } } {
  return { status: 200, body: { status: "ok" } };
}

/** Readiness: the tool index is built and the store takes writes; upstreams are not waited for (spec 001 §4.3). */
export function readiness({ catalog, store }: Pick<App, "catalog" | "store">): Finding & { body: { ready: boolean } } {
  const ready = catalog.ready && store.problem() === undefined;
  return { status: ready ? 200 : 503, body: { ready } };
}

const PROBES: Record<string, (app: App) => Finding> = { "/healthz": alive, "/readyz": readiness };

/**
 * Answers a probe on Node's own response, so that who asks all the time, and from the first moment, costs next to
 * nothing.
 *
 * @returns false for what is no plain probe; nothing was answered then
 */
export function answerProbe(app: App, req: IncomingMessage, res: ServerResponse, admission: Admission): boolean {
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
