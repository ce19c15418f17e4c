import type { App } from "../../app.ts";
import { requestId } from "../../base/id.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import { type Actor, INTERNAL_CALLER } from "../../schema/caller.ts";

const SELF = (): Actor => ({
  caller: INTERNAL_CALLER,
  origin: { source: "internal", requestId: requestId(undefined) },
});

/** Records the start of the daemon; called once its listeners are open. */
export function recordDaemonStart(app: App): void {
  const { version, listenAddr, routingMode } = app.boot;
  recordActivity(app, SELF(), {
    type: "system_start",
    status: "success",
    metadata: { version, listen_addr: listenAddr, routing_mode: routingMode },
  });
  const startup_duration_ms = app.clock.now() - app.boot.startedAt;
  app.events.publish("activity.system.start", { version, listen_address: listenAddr, startup_duration_ms });
}

/** Records a graceful stop of the daemon, with its reason. */
export function recordDaemonStop(app: App, reason: string): void {
  recordActivity(app, SELF(), { type: "system_stop", status: "success", metadata: { reason } });
  const uptime_seconds = Math.floor((app.clock.now() - app.boot.startedAt) / 1000);
  app.events.publish("activity.system.stop", { reason, uptime_seconds });
}
