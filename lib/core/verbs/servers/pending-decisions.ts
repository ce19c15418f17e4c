import type { ServerRecord } from "../../schema/server-record.ts";

/** How many decisions wait for a person. */
export interface PendingDecisions {
  /** Servers to review (quarantined) or to confirm (held). */
  servers: number;
  /** New and changed tools of all other servers; those of a server to review are decided with it. */
  tools: number;
  /** Both together. */
  total: number;
}

/** What the count is made from. `quarantine` leaves out tools that are blocked, or denied by the configuration. */
export type PendingDecisionFacts = Pick<ServerRecord, "enabled" | "quarantined" | "held" | "quarantine">;

/**
 * The one count of what waits for a person, for every surface that shows such a number. A disabled server waits for
 * nobody. Pure.
 */
export function countPendingDecisions(servers: Iterable<PendingDecisionFacts>): PendingDecisions {
  const count: PendingDecisions = { servers: 0, tools: 0, total: 0 };
  for (const server of servers) {
    if (!server.enabled) continue;
    if (server.quarantined || server.held) count.servers++;
    else count.tools += (server.quarantine?.pending_count ?? 0) + (server.quarantine?.changed_count ?? 0);
  }
  count.total = count.servers + count.tools;
  return count;
}

/** In words: `2 servers and 1 tool wait for a review`; undefined when nothing does. */
export function pendingDecisionsText({ servers, tools, total }: PendingDecisions): string | undefined {
  if (total === 0) return undefined;
  const counted = (n: number, what: string) => (n === 0 ? [] : [`${n} ${what}${n === 1 ? "" : "s"}`]);
  const parts = [...counted(servers, "server"), ...counted(tools, "tool")].join(" and ");
  return `${parts} ${total === 1 ? "waits" : "wait"} for a review`;
}
