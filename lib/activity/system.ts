import type { App } from "../app.ts";
import { requestId } from "../base/id.ts";
import { type Actor, INTERNAL } from "../shape/caller.ts";
import { record } from "./record.ts";

const SELF = (): Actor => ({ caller: INTERNAL, origin: { source: "internal", requestId: requestId(undefined) } });

/** Notes that the daemon is up; called once its doors are open. */
export function recordStart(app: App): void {
  const { version, listenAddr, routingMode } = app.boot;
  record(app, SELF(), {
    type: "system_start",
    status: "success",
    metadata: { version, listen_addr: listenAddr, routing_mode: routingMode },
  });
  app.events.publish("activity.system.started", { version });
}

/** Notes that the daemon goes down in order, and why. */
export function recordStop(app: App, reason: string): void {
  record(app, SELF(), { type: "system_stop", status: "success", metadata: { reason } });
  app.events.publish("activity.system.stopping", { reason });
}
