import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { Caller } from "../../schema/caller.ts";
import { type ChoosePage, type ListPage, type SortValue, wholeList } from "../../schema/list-page.ts";
import type { ToolRow } from "../../schema/tool.ts";
import type { ToolScan } from "../../schema/tool-entry.ts";
import { approvalWord } from "./approval-word.ts";

/** Filters that tools, prompts, resources and templates share; a row must match all of them. */
export interface RowFilter {
  approval?: readonly string[] | undefined;
  /** True selects items that are not blocked and, for tools, not excluded by the configuration. */
  enabled?: boolean | undefined;
  /** The verdict of the offline scan; only administrators may use this filter. */
  risk?: ToolScan["verdict"] | undefined;
  /** Words that must all occur in those texts of the row that the caller may read. */
  q?: string | undefined;
}

/** The requested page, and the signal that aborts the request. */
export interface RowListOptions<Filter extends RowFilter = RowFilter> {
  filter?: Filter;
  choose?: ChoosePage;
  signal?: AbortSignal;
}

/** The sort keys that all rows have. */
export const ROW_SORTS = ["name", "server_name", "approval_status", "risk"] as const;

/** How rows of one kind are filtered and sorted. */
interface RowReader<Row> {
  /** True if the row matches the filters for its kind, and may be listed. */
  isSelected(row: Row): boolean;
  isEnabled(row: Row): boolean;
  /** Returns the text in which the words of the filter are searched. */
  text(row: Row): string;
  /** Scans the row's text in pieces if it was not scanned yet, so that a later `scan` takes no time. */
  prepareScan(row: Row): Promise<void> | undefined;
  scan(row: Row): ToolScan;
  /** Returns the value of a sort key: the name of the row as the caller may read it, or a key of this kind only. */
  value(row: Row, sort: string): SortValue;
}

/**
 * Returns the requested page of some rows, in their order unless the caller requests another.
 *
 * @throws Fault invalid_request if a caller other than an administrator filters by risk
 * @throws Fault cancelled if the caller has disconnected
 */
export async function selectRows<Row extends Pick<ToolRow, "id" | "server" | "status">>(
  rows: readonly Row[],
  caller: Caller,
  { filter = {}, choose = wholeList, signal }: RowListOptions,
  reader: RowReader<Row>,
): Promise<ListPage<Row>> {
  const { approval, enabled, risk, q } = filter;
  const isAdmin = caller.tier === "admin";
  if (risk !== undefined && !isAdmin)
    throw new Fault("invalid_request", { reason: "risk: findings are for administrators; omit this parameter" });
  const words = q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const fits = (row: Row) =>
    reader.isSelected(row) &&
    (approval === undefined || approval.includes(approvalWord(row.status))) &&
    (enabled === undefined || reader.isEnabled(row) === enabled) &&
    (words.length === 0 || includesAll(reader.text(row), words));
  const hasRisk = async (row: Row) => {
    await reader.prepareScan(row);
    return reader.scan(row).verdict === risk;
  };
  const matches: Row[] = [];
  const pause = loopShare();
  for (const row of rows) {
    if (fits(row) && (risk === undefined || (await hasRisk(row)))) matches.push(row);
    const others = pause();
    if (!others) continue;
    await others;
    if (signal?.aborted) throw new Fault("cancelled");
  }
  return choose({
    rows: matches,
    total: matches.length,
    id: (row) => row.id,
    value(row, sort) {
      if (sort === "server_name") return row.server;
      if (sort === "approval_status") return approvalWord(row.status);
      if (sort === "risk") return isAdmin ? reader.scan(row).risk_score : 0;
      return reader.value(row, sort);
    },
    prepare: (row, sort) => (sort === "risk" && isAdmin ? reader.prepareScan(row) : undefined),
  });
}

function includesAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
