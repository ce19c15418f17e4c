import type { App } from "../../app.ts";
import { requestId } from "../../base/id.ts";
import { record } from "../../gateway/record.ts";
import { type Actor, INTERNAL } from "../../schema/caller.ts";

const SELF = (): Actor => ({ caller: INTERNAL, origin: { source: "internal", requestId: requestId(undefined) } });

/** Notes that the daemon is up; called once its doors are open. */
export function recordStart(app: App): void {
  const { version, listenAddr, routingMode } = app.boot;
  record(app, SELF(), {
    type: "system_start",
    status: "success",
    metadata: { version, listen_addr: listenAddr, routing_mode: routingMode },
  });
  const startup_duration_ms = app.clock.now() - app.boot.startedAt;
  app.events.publish("activity.system.start", { version, listen_address: listenAddr, startup_duration_ms });
}

/** Notes that the daemon goes down in order, and why. */
export function recordStop(app: App, reason: string): void {
  record(app, SELF(), { type: "system_stop", status: "success", metadata: { reason } });
  const uptime_seconds = Math.floor((app.clock.now() - app.boot.startedAt) / 1000);
  app.events.publish("activity.system.stop", { reason, uptime_seconds });
}
