import type { App } from "../../app.ts";
import type { Caller } from "../../schema/caller.ts";
import { serversStats } from "../../verbs/servers/stats.ts";
import { eventFrame, OPENING_FRAME, wholeSeconds } from "./frame.ts";

/** Returns the beginning of a stream: the first text, and the status as this caller may see it (reference 2.1). */
export function helloFrames(app: App, caller: Caller, id: string): string {
  const { version, listenAddr } = app.boot;
  const status = {
    running: true,
    status: "running",
    version,
    listen_addr: listenAddr,
    upstream_stats: serversStats(app, caller),
    timestamp: wholeSeconds(app.clock.now()),
  };
  return OPENING_FRAME + eventFrame("status", status, id);
}
