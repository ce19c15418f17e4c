import type { App } from "../../app.ts";
import type { Caller } from "../../schema/caller.ts";
import { upstreamStats } from "../../verbs/servers/stats.ts";
import { frame, OPENING, seconds } from "./frame.ts";

/** How a stream begins: the opening, and the running state as this caller may see it (reference 2.1). */
export function hello(app: App, caller: Caller, id: string): string {
  const { version, listenAddr } = app.boot;
  const status = {
    running: true,
    status: "running",
    version,
    listen_addr: listenAddr,
    upstream_stats: upstreamStats(app, caller),
    timestamp: seconds(app.clock.now()),
  };
  return OPENING + frame("status", status, id);
}
