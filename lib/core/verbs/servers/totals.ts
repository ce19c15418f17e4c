import type { ServerRecord } from "../../schema/server-record.ts";
import { countPendingDecisions } from "./pending-decisions.ts";

/** Returns the totals of a list of servers, for the response that contains the list. */
export function serverTotals(servers: readonly ServerRecord[]) {
  return {
    total_servers: servers.length,
    connected_servers: servers.filter((server) => server.connected).length,
    quarantined_servers: servers.filter((server) => server.quarantined).length,
    total_tools: servers.reduce((sum, server) => sum + server.tool_count, 0),
    waiting: countPendingDecisions(servers),
  };
}
