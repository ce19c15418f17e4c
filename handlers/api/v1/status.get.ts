import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { UpstreamStatsPayload } from "#lib/core/schema/event-payload.ts";
import { WaitingDecisions } from "#lib/core/schema/server-record.ts";
import { evidenceProblem } from "#lib/core/store/database-identity.ts";
import { serversStats } from "#lib/core/verbs/servers/stats.ts";
import { currentEdition } from "#lib/modules/team/edition.ts";

/** The running state with counts of servers and tools, both bare and in the envelope (spec 000 §2.2). */
export default endpoint("GET /api/v1/status", {
  summary: "Report the status of the proxy",
  access: "read",
  flat: true,
  data: v.object({
    status: v.literal("running"),
    edition: v.pipe(v.picklist(["personal", "server"]), v.description("edition; `server` is the multi-user edition")),
    version: v.string(),
    uptime: v.pipe(v.number(), v.description("seconds")),
    listen_addr: v.string(),
    routing_mode: v.string(),
    servers: v.object({ total: v.number(), connected: v.number(), quarantined: v.number() }),
    tools: v.object({ total: v.number() }),
    waiting: WaitingDecisions,
    upstream_stats: v.pipe(UpstreamStatsPayload, v.description("counters and a summary of each server; always masked")),
    config_problem: v.optional(
      v.pipe(v.string(), v.description("error of the last edit of the file, if it was rejected")),
    ),
    store_problem: v.optional(
      v.pipe(v.string(), v.description("error of the database, if it is damaged or cannot be written")),
    ),
    evidence_problem: v.optional(
      v.pipe(v.string(), v.description("consequences of a missing database, and the remedy")),
    ),
  }),
  run({ app, caller }) {
    const stats = serversStats(app, caller);
    const problems =
      caller.tier === "admin"
        ? { config: app.config.problem(), store: app.store.problem(), evidence: evidenceProblem(app.store.evidence) }
        : {};
    return {
      status: "running",
      edition: currentEdition(app) ? ("server" as const) : ("personal" as const),
      version: app.boot.version,
      uptime: Math.floor((app.clock.now() - app.boot.startedAt) / 1000),
      listen_addr: app.boot.listenAddr,
      routing_mode: app.boot.routingMode,
      servers: {
        total: stats.total_servers,
        connected: stats.connected_servers,
        quarantined: stats.quarantined_servers,
      },
      tools: { total: stats.total_tools },
      waiting: stats.waiting,
      upstream_stats: { ...stats },
      ...(problems.config !== undefined && { config_problem: problems.config }),
      ...(problems.store !== undefined && { store_problem: problems.store }),
      ...(problems.evidence !== undefined && { evidence_problem: problems.evidence }),
    };
  },
});
