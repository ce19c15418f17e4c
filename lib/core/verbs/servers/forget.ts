import type { App } from "../../app.ts";
import { scanStandings } from "../../extension/scan-standings.ts";
import type { KnownServer } from "../../schema/known-server.ts";

/** Maximum number of removed servers whose records are kept, and of the tools of all of them. */
const MAX_REMOVED = 1000;
const MAX_REMOVED_TOOLS = 50_000;

/** Deletes the records of a server: approvals, blocks, pins and its integrity baseline. */
export async function forgetServer(app: Pick<App, "store" | "part">, name: string): Promise<void> {
  // The name is deleted last: after a crash in between, the server is still known, so its tools wait for approval.
  await Promise.all([
    app.store.approvals.removeServer(name),
    app.part(scanStandings).forget(name),
    app.store.knownServers.changeAll([name], () => "remove"),
  ]);
}

/**
 * Limits the stored records of removed servers. Servers without a person's decision are deleted first, then those
 * without a block, and among equals the one removed first. A log entry names each server that loses a block.
 */
export async function forgetRemoved(app: Pick<App, "store" | "log" | "part">): Promise<void> {
  const { knownServers, approvals } = app.store;
  const removed = knownServers.all().filter((row) => row.removedAt !== undefined);
  let tools = removed.reduce((sum, { name }) => sum + approvals.count(name), 0);
  let remaining = removed.length;
  if (remaining <= MAX_REMOVED && tools <= MAX_REMOVED_TOOLS) return;
  const ranked = removed.map((row) => ({ row, weight: weightOf(app, row) }));
  ranked.sort((a, b) => a.weight - b.weight || (a.row.removedAt ?? 0) - (b.row.removedAt ?? 0));
  for (const { row, weight } of ranked) {
    if (remaining <= MAX_REMOVED && tools <= MAX_REMOVED_TOOLS) return;
    // The server may have been added again in the meantime, possibly by another replica.
    const marked = await knownServers.changeAll([row.name], (now) =>
      now?.removedAt === undefined ? undefined : { ...now, baseline: "closed" },
    );
    if (marked.length === 0) continue;
    remaining--;
    tools -= approvals.count(row.name);
    if (weight === BLOCKED)
      app.log.warn(`too many removed servers are stored; the blocks of "${row.name}" were deleted`);
    await forgetServer(app, row.name);
  }
}

const BLOCKED = 2;

function weightOf({ store }: Pick<App, "store">, { name }: KnownServer): number {
  const rows = [...store.approvals.of(name), ...store.itemApprovals.of(name)];
  if (rows.some((row) => row.disabled)) return BLOCKED;
  return rows.some((row) => row.approvedHash !== undefined) ? 1 : 0;
}
