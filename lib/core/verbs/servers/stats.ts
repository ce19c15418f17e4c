import type { InferOutput } from "valibot";
import type { App } from "../../app.ts";
import { userConnections } from "../../extension/user-connections.ts";
import { disclosedStatus } from "../../policy/hidden.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { UpstreamStatsPayload } from "../../schema/event-payload.ts";
import { scrubText } from "../../secrets/mask/text.ts";
import { itemCounts, waitingItemsMember } from "./item-counts.ts";
import { countPendingDecisions } from "./pending-decisions.ts";
import { serverReview } from "./review.ts";
import { listedCount, reviewCounts } from "./review-counts.ts";

type ServersStats = InferOutput<typeof UpstreamStatsPayload>;
type ServerStats = ServersStats["servers"][string];

/**
 * Returns counts over the servers that a caller may see, and the connection state of each, always masked (spec 000
 * §2.2).
 */
export function serversStats(app: App, caller: Caller): ServersStats {
  const servers = app.config.current().mcpServers.filter(({ name }) => inScope(caller.scope, name));
  const rows = servers.map((server): [string, ServerStats] => {
    const found =
      app.part(userConnections).stateOf(caller, server.name)?.status ?? app.upstreams.get(server.name)?.status();
    const status = found && disclosedStatus(found, serverReview(app, server.name), caller);
    return [
      server.name,
      {
        status: (status?.state ?? "Disconnected").toLowerCase(),
        enabled: server.enabled,
        connected: status?.state === "Ready",
        quarantined: app.config.quarantined(server),
        tool_count: listedCount(app.catalog.of(server.name)),
        retry_count: status?.attempts ?? 0,
        reconnect_count: status?.reconnects ?? 0,
        ...(status?.lastError !== undefined && { last_error: scrubText(status.lastError) }),
      },
    ];
  });
  const count = (fits: (server: ServerStats) => boolean) => rows.filter(([, server]) => fits(server)).length;
  return {
    total_servers: rows.length,
    connected_servers: count((server) => server.connected),
    disabled_servers: count((server) => !server.enabled),
    quarantined_servers: count((server) => server.quarantined),
    total_tools: rows.reduce((sum, [, server]) => sum + server.tool_count, 0),
    waiting: countPendingDecisions(
      servers.map((server) => ({
        enabled: server.enabled,
        quarantined: app.config.quarantined(server),
        ...(server.held && { held: true as const }),
        quarantine: { ...reviewCounts(app, server), ...waitingItemsMember(itemCounts(app, server)) },
      })),
    ),
    // A server may have any name, such as `__proto__`; fromEntries defines members instead of assigning them.
    servers: Object.fromEntries(rows),
  };
}
