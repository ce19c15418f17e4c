import type { App } from "../../app.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { isDenied, isTrusted } from "../../gateway/tool-snapshot.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import type { ToolRow } from "../../schema/tool.ts";

type ReviewCounts = Pick<NonNullable<ServerRecord["quarantine"]>, "pending_count" | "changed_count" | "blocked_count">;

/**
 * Counts the tools of a server that wait for review, and those that are blocked. Tools that the configuration denies do
 * not wait, nor do those of a server whose tools a setting approves.
 */
export function reviewCounts(app: Pick<App, "catalog" | "config" | "store">, server: ServerConfig): ReviewCounts {
  const rows = app.catalog.of(server.name);
  const trusted = isTrusted(app, server);
  const cached = counted.get(rows);
  if (cached?.server === server && cached.trusted === trusted) return { ...cached.counts };
  const counts = { pending_count: 0, changed_count: 0, blocked_count: 0 };
  for (const { name, status, disabled } of rows) {
    if (disabled) counts.blocked_count++;
    else if (status === "approved" || trusted || isDenied(server, name)) continue;
    else if (status === "pending") counts.pending_count++;
    else counts.changed_count++;
  }
  counted.set(rows, { server, trusted, counts });
  return { ...counts };
}

/** Counts by a server's array of rows, which every change replaces. They are cached because status pages poll often. */
const counted = new WeakMap<readonly ToolRow[], { server: ServerConfig; trusted: boolean; counts: ReviewCounts }>();

/** Counts all known tools of a server, as the statistics of a list of tools do. */
export function toolCounts(server: ServerConfig, rows: readonly ToolRow[]): ToolCounts {
  const cached = counts.get(rows);
  if (cached?.server === server) return cached;
  const made = { server, total: rows.length, disabled: 0, pending: 0 };
  for (const { name, status, disabled } of rows) {
    if (disabled || isDenied(server, name)) made.disabled++;
    if (status !== "approved") made.pending++;
  }
  counts.set(rows, made);
  return made;
}

interface ToolCounts {
  readonly total: number;
  /** Tools that a person has blocked or the configuration denies. */
  readonly disabled: number;
  readonly pending: number;
}

const counts = new WeakMap<readonly ToolRow[], ToolCounts & { server: ServerConfig }>();

/** Returns the number of tools that a server lists now, without those known only from earlier listings. */
export function listedCount(rows: readonly ToolRow[]): number {
  let count = listed.get(rows);
  if (count === undefined) {
    count = rows.reduce((n, { present }) => (present ? n + 1 : n), 0);
    listed.set(rows, count);
  }
  return count;
}

const listed = new WeakMap<readonly ToolRow[], number>();
