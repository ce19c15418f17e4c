import type { App } from "../../app.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { isTrusted } from "../../gateway/tool-snapshot.ts";
import { type ItemRow, LISTED_KINDS } from "../../schema/item.ts";

/** The numbers of a server's prompts, resources and resource templates together. */
interface ItemCounts {
  readonly listed: number;
  readonly pending: number;
  readonly changed: number;
  readonly blocked: number;
}

/** Counts the prompts, resources and templates that a server lists, that wait for review, and that are blocked. */
export function itemCounts(app: Pick<App, "catalog" | "config" | "store">, server: ServerConfig): ItemCounts {
  const isServerTrusted = isTrusted(app, server);
  const sum = { listed: 0, pending: 0, changed: 0, blocked: 0 };
  for (const kind of LISTED_KINDS) {
    const counts = countsOf(app.catalog.items.of(server.name, kind));
    sum.listed += counts.listed;
    sum.blocked += counts.blocked;
    // A setting approves all items of this server, so none of them waits.
    if (isServerTrusted) continue;
    sum.pending += counts.pending;
    sum.changed += counts.changed;
  }
  return sum;
}

/** Returns the counts as members of a server's record; empty if no item waits or is blocked. */
export function waitingItemsMember({ pending, changed, blocked }: ItemCounts) {
  return pending + changed + blocked === 0
    ? {}
    : { items: { pending_count: pending, changed_count: changed, blocked_count: blocked } };
}

function countsOf(rows: readonly ItemRow[]): ItemCounts {
  const cached = counted.get(rows);
  if (cached) return cached;
  const counts = { listed: 0, pending: 0, changed: 0, blocked: 0 };
  for (const { status, disabled, present } of rows) {
    if (present) counts.listed++;
    if (disabled) counts.blocked++;
    else if (status !== "approved") counts[status]++;
  }
  counted.set(rows, counts);
  return counts;
}

/**
 * Counts by a server's array of rows, which every change replaces. They are cached because status pages poll all
 * servers.
 */
const counted = new WeakMap<readonly ItemRow[], ItemCounts>();
