import type { ServerRecord } from "../../schema/server-record.ts";
import { countPendingDecisions } from "./pending-decisions.ts";

/** Counts over a list of servers, returned with it. */
export function serverTotals(servers: readonly ServerRecord[]) {
  return {
    total_servers: servers.length,
    connected_servers: servers.filter((server) => server.connected).length,
    quarantined_servers: servers.filter((server) => server.quarantined).length,
    total_tools: servers.reduce((sum, server) => sum + server.tool_count, 0),
    waiting: countPendingDecisions(servers),
  };
}
