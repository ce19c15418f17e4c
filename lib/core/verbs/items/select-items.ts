import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import { isToolHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ItemRow } from "../../schema/item.ts";
import { type ChoosePage, type ListPage, type SortValue, wholeList } from "../../schema/list-page.ts";
import type { ToolScan } from "../../schema/tool-entry.ts";
import { serverReview } from "../servers/review.ts";
import { approvalWord } from "../tools/approval-word.ts";

/** Which prompts, resources or templates are wanted; all members together. */
export interface ItemFilter {
  approval?: readonly string[] | undefined;
  /** Not blocked by a person. */
  enabled?: boolean | undefined;
  /** What the offline scan says. For administrators. */
  risk?: ToolScan["verdict"] | undefined;
  /** Words that all stand in server, name, title or description. */
  q?: string | undefined;
}

/** Which part of a list of items is wanted, and how long the asker waits. */
export interface ItemListOptions {
  filter?: ItemFilter;
  choose?: ChoosePage;
  signal?: AbortSignal;
}

/** By what items can be sorted. */
export const ITEM_SORTS = ["name", "server_name", "approval_status", "risk"] as const;

/**
 * The wanted part of some items, in their order unless another is asked for. Callers that are not administrators see the
 * approved ones only, since names and URIs, too, are texts that the server chose freely.
 *
 * @throws Fault invalid_request for a risk asked by others than administrators; cancelled when the asker went away
 */
export async function selectItems(
  app: App,
  rows: readonly ItemRow[],
  caller: Caller,
  { filter = {}, choose = wholeList, signal }: ItemListOptions,
): Promise<ListPage<ItemRow>> {
  const { approval, enabled, risk, q } = filter;
  if (risk !== undefined && caller.tier !== "admin")
    throw new Fault("invalid_request", { reason: "risk: findings are for administrators; omit this parameter" });
  const words = q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const fits = (row: ItemRow) =>
    !isToolHidden(row, serverReview(app, row.server), caller) &&
    (approval === undefined || approval.includes(approvalWord(row.status))) &&
    (enabled === undefined || !row.disabled === enabled) &&
    (words.length === 0 || holdsAllWords(row, words));
  const examine = ({ kind, definition, hash }: ItemRow) => app.catalog.items.prepareScan(kind, definition, hash);
  const scan = ({ server, kind, definition, hash }: ItemRow) => app.catalog.items.scan(server, kind, definition, hash);
  const hasRisk = async (row: ItemRow) => {
    await examine(row);
    return scan(row).verdict === risk;
  };
  const matches: ItemRow[] = [];
  const pause = loopShare();
  for (const row of rows) {
    if (fits(row) && (risk === undefined || (await hasRisk(row)))) matches.push(row);
    const others = pause();
    if (!others) continue;
    await others;
    if (signal?.aborted) throw new Fault("cancelled");
  }
  const value = (row: ItemRow, sort: string): SortValue => {
    switch (sort as (typeof ITEM_SORTS)[number]) {
      case "name":
        return row.name;
      case "server_name":
        return row.server;
      case "approval_status":
        return approvalWord(row.status);
      case "risk":
        return caller.tier === "admin" ? scan(row).risk_score : 0;
    }
  };
  return choose({
    rows: matches,
    id: (row) => row.id,
    value,
    prepare: (row, sort) => (sort === "risk" && caller.tier === "admin" ? examine(row) : undefined),
  });
}

function holdsAllWords({ server, name, definition }: ItemRow, words: readonly string[]): boolean {
  const { title, description } = definition;
  const text = [server, name, title, description]
    .filter((one) => typeof one === "string")
    .join(" ")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
