import type { App } from "../../app.ts";
import { approveListedRecord } from "../../catalog/approve-record.ts";
import type { Actor } from "../../schema/caller.ts";
import type { Release } from "../../schema/release.ts";
import { approveSeen, pinOfRecord, type SeenTools } from "./approve-seen.ts";
import { graveFindings } from "./grave-findings.ts";

/** Returns the pins, by tool name, of all tools that wait for a first approval now and are not blocked. */
export function pendingPins(app: Pick<App, "store" | "catalog">, server: string): Record<string, string> {
  return Object.fromEntries(pendingRows(app, server).map((row) => [row.tool, pinOfRecord(row)]));
}

/**
 * Approves the pending tools of a released server that a person reviewed and that are unchanged.
 *
 * @param reviewed `pins`: as reviewed, or as they were pending when the person decided
 */
export async function approvePending(app: App, server: string, reviewed: SeenTools, by: Actor): Promise<Release> {
  const pins = new Map(Object.entries(reviewed.pins ?? {}));
  const settled = (tool: string) => {
    const row = app.store.approvals.get(server, tool);
    return row !== undefined && (row.disabled || (row.status === "approved" && pinOfRecord(row) === pins.get(tool)));
  };
  const unsettled = new Map([...pins].filter(([tool]) => !settled(tool)));
  const changed = [...unsettled.keys()].filter((tool) => app.store.approvals.get(server, tool)?.status === "changed");
  for (const tool of changed) unsettled.delete(tool);
  const { approved, pending } = await approveSeen(
    app,
    server,
    unsettled,
    { apply: approveListedRecord, metadata: { reason: "the server was released from quarantine" } },
    reviewed,
    by,
  );
  const pendingTools = new Set(pending.map(({ tool }) => tool));
  return {
    approved,
    pending: [
      ...pending,
      ...changed.map((tool) => ({ tool, reason: "changed_since" as const })),
      ...(await waitingTools(app, server)).filter(({ tool }) => !pendingTools.has(tool)),
    ],
  };
}

/** Returns the tools that wait for a first approval, each with its reason: findings, or not reviewed yet. */
export async function waitingTools(app: App, server: string): Promise<Release["pending"]> {
  const rows = pendingRows(app, server);
  const grave = await graveFindings(app, server, rows);
  return rows.map(({ tool }) => {
    const findings = grave.get(tool) ?? [];
    return findings.length > 0 ? { tool, reason: "findings", findings } : { tool, reason: "changed_since" };
  });
}

function pendingRows({ store, catalog }: Pick<App, "store" | "catalog">, server: string) {
  const listed = new Map(catalog.of(server).map((row) => [row.name, row.hash]));
  return store.approvals
    .of(server)
    .filter((row) => row.status === "pending" && !row.disabled && listed.get(row.tool) === pinOfRecord(row));
}
