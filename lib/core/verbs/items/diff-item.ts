import type { App } from "../../app.ts";
import { canonicalJson } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import { isServerHidden, isToolHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import { ITEM_WORDS, type ListedKind } from "../../schema/item.ts";
import type { ItemDiff } from "../../schema/item-diff.ts";
import type { McpObject } from "../../schema/mcp.ts";
import { MAX_TOOL_DEPTH } from "../../schema/tool.ts";
import { findServer } from "../servers/find.ts";
import { serverReview } from "../servers/review.ts";
import { approvalWord } from "../tools/approval-word.ts";

/**
 * Compares the approved and the current definition of an item. Without an approval the previous side is empty. For
 * callers other than administrators, an item that was never approved does not exist, because the server chose its name.
 *
 * @throws Fault server_not_found, no_such_record
 */
export async function diffItem(
  app: App,
  server: string,
  kind: ListedKind,
  name: string,
  caller: Caller,
): Promise<ItemDiff> {
  findServer(app, server, caller);
  const row = app.store.itemApprovals.get(server, kind, name);
  const isOperator = caller.tier === "admin";
  const review = serverReview(app, server);
  const isHidden = !row || (!isOperator && (isServerHidden(review, caller) || !row.approved || row.disabled));
  if (isHidden) throw new Fault("no_such_record", { what: ITEM_WORDS[kind].noun, id: `${server}:${name}` });
  const isWithheld = isToolHidden(row, review, caller);
  if (isOperator) await app.catalog.items.prepareScan(kind, row.current, row.currentHash);
  return {
    kind,
    name,
    server_name: server,
    status: approvalWord(row.status),
    disabled: row.disabled,
    ...(isWithheld && { withheld: isWithheld }),
    approved_hash: isOperator ? (row.approvedHash ?? "") : "",
    current_hash: isOperator ? row.currentHash : "",
    previous: json(row.approved),
    current: isWithheld ? "" : json(row.current),
    ...(isOperator && { scan: app.catalog.items.scan(server, kind, row.current, row.currentHash) }),
  };
}

/** Formats a value as canonical JSON, so that a different order of members is no difference. */
function json(value: McpObject | undefined): string {
  return value === undefined ? "" : JSON.stringify(JSON.parse(canonicalJson(value, MAX_TOOL_DEPTH)), null, 2);
}
