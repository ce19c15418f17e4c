import type { App } from "../../app.ts";
import { escapeInvisible } from "../../base/excerpt.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import { isDenied } from "../../gateway/tool-snapshot.ts";
import { isToolHidden } from "../../policy/hidden.ts";
import { permissionsFor } from "../../policy/permissions.ts";
import type { Caller, Permission } from "../../schema/caller.ts";
import { type ChoosePage, type ListPage, type SortValue, wholeList } from "../../schema/list-page.ts";
import type { ToolRow } from "../../schema/tool.ts";
import type { ToolScan } from "../../schema/tool-entry.ts";
import { serverReview } from "../servers/review.ts";
import { approvalWord } from "./approval-word.ts";

/** Filters for tools; a tool must match all of them. */
export interface ToolFilter {
  server?: string | undefined;
  approval?: readonly string[] | undefined;
  /** Neither blocked nor left out by the configuration. */
  enabled?: boolean | undefined;
  /** The verdict of the offline scan. For administrators. */
  risk?: ToolScan["verdict"] | undefined;
  /** Requires this permission. */
  permission?: Permission | undefined;
  /** Words that must all occur in the texts of the tool that the caller may read. */
  q?: string | undefined;
}

/** The requested page, and the signal that aborts the request. */
export interface ToolListOptions {
  filter?: ToolFilter;
  choose?: ChoosePage;
  signal?: AbortSignal;
}

/** The sort keys of tools. */
export const TOOL_SORTS = ["name", "server_name", "usage", "last_used", "approval_status", "risk"] as const;

/**
 * The wanted part of some tools, in their order unless another is asked for. What a caller may not read of a tool
 * neither selects nor sorts it.
 *
 * @throws Fault invalid_request for a risk asked by others than administrators; cancelled when the asker went away
 */
export async function selectTools(
  app: App,
  rows: readonly ToolRow[],
  caller: Caller,
  { filter = {}, choose = wholeList, signal }: ToolListOptions,
): Promise<ListPage<ToolRow>> {
  const { server, approval, enabled, risk, permission, q } = filter;
  if (risk !== undefined && caller.tier !== "admin")
    throw new Fault("invalid_request", { reason: "risk: findings are for administrators; omit this parameter" });
  const words = q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const fits = (row: ToolRow) =>
    (server === undefined || row.server === server) &&
    (approval === undefined || approval.includes(approvalWord(row.status))) &&
    (enabled === undefined || isToolEnabled(app, row) === enabled) &&
    (permission === undefined ||
      (!isWithheld(app, row, caller) && permissionsFor(row.annotations).includes(permission))) &&
    (words.length === 0 || holdsAll(textOf(app, row, caller), words));
  /** Scans a text in pieces if it was not scanned yet. */
  const hasRisk = async (row: ToolRow) => {
    await examinedOf(app, row);
    return scanOf(app, row).verdict === risk;
  };
  const matches: ToolRow[] = [];
  const pause = loopShare();
  for (const row of rows) {
    if (fits(row) && (risk === undefined || (await hasRisk(row)))) matches.push(row);
    const others = pause();
    if (!others) continue;
    await others;
    if (signal?.aborted) throw new Fault("cancelled");
  }
  const used = app.store.usage.last30Days(app.clock.now());
  const value = (row: ToolRow, sort: string): SortValue => {
    switch (sort as (typeof TOOL_SORTS)[number]) {
      case "name":
        return shownName(app, row, caller);
      case "server_name":
        return row.server;
      case "usage":
        return used.get(row.id)?.count ?? 0;
      case "last_used":
        return used.get(row.id)?.lastUsed;
      case "approval_status":
        return approvalWord(row.status);
      case "risk":
        return caller.tier === "admin" ? scanOf(app, row).risk_score : 0;
    }
  };
  return choose({
    rows: matches,
    id: (row) => row.id,
    value,
    prepare: (row, sort) => (sort === "risk" && caller.tier === "admin" ? examinedOf(app, row) : undefined),
  });
}

/** Whether a tool is neither blocked or switched off by a person nor left out by the configuration. */
export function isToolEnabled(app: App, row: ToolRow): boolean {
  const server = app.config.server(row.server);
  return !row.disabled && !(server !== undefined && isDenied(server, row.name));
}

const isWithheld = (app: App, row: ToolRow, caller: Caller) => isToolHidden(row, serverReview(app, row.server), caller);
const examinedOf = (app: App, row: ToolRow) => app.catalog.prepareScan(row, row.hash);
const scanOf = (app: App, row: ToolRow) => app.catalog.scan(row.server, row, row.hash);
const shownName = (app: App, row: ToolRow, caller: Caller) =>
  isWithheld(app, row, caller) ? escapeInvisible(row.name) : row.name;

function textOf(app: App, row: ToolRow, caller: Caller): string {
  const name = `${row.server}:${shownName(app, row, caller)}`;
  return isWithheld(app, row, caller) ? name : `${name} ${row.title ?? ""} ${row.description}`;
}

function holdsAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
