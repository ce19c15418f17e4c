import type { ServerRecord } from "../../schema/server-record.ts";

/** The numbers of decisions that wait for a person. */
export interface PendingDecisions {
  /** Servers to review (quarantined) or to confirm (held). */
  servers: number;
  /** New and changed tools of all other servers. The tools of a server to review are not counted separately. */
  tools: number;
  /** New and changed prompts, resources and resource templates of these other servers. */
  items: number;
  /** The sum. */
  total: number;
}

/** The members that are counted. `quarantine` excludes tools that are blocked, or denied by the configuration. */
export type PendingDecisionFacts = Pick<ServerRecord, "enabled" | "quarantined" | "held" | "quarantine">;

/**
 * Counts the pending decisions, for all parts of the program that show this number. Disabled servers are not counted.
 */
export function countPendingDecisions(servers: Iterable<PendingDecisionFacts>): PendingDecisions {
  const count: PendingDecisions = { servers: 0, tools: 0, items: 0, total: 0 };
  for (const server of servers) {
    if (!server.enabled) continue;
    if (server.quarantined || server.held) {
      count.servers++;
      continue;
    }
    count.tools += waitingOf(server.quarantine);
    count.items += waitingOf(server.quarantine?.items);
  }
  count.total = count.servers + count.tools + count.items;
  return count;
}

function waitingOf(counts: { pending_count: number; changed_count: number } | undefined): number {
  return (counts?.pending_count ?? 0) + (counts?.changed_count ?? 0);
}

/** Describes the count: `2 servers and 1 tool wait for a review`; undefined if nothing waits. */
export function pendingDecisionsText({ servers, tools, items, total }: PendingDecisions): string | undefined {
  if (total === 0) return undefined;
  const counted = (n: number, what: string, many = `${what}s`) => (n === 0 ? [] : [`${n} ${n === 1 ? what : many}`]);
  const parts = [
    ...counted(servers, "server"),
    ...counted(tools, "tool"),
    ...counted(items, "prompt or resource", "prompts and resources"),
  ];
  const text = [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and ");
  return `${text} ${total === 1 ? "waits" : "wait"} for a review`;
}
