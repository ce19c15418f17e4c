import * as v from "valibot";
import type { App } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { ListedKind } from "../schema/item.ts";
import { ItemEntry } from "../schema/item-entry.ts";
import { pageMembers } from "../schema/list-page.ts";
import { ApprovalWordShape, ToolScan } from "../schema/tool-entry.ts";
import { listItems, listItemsOfAllServers } from "../verbs/items/list-items.ts";
import { ROW_SORTS, type RowFilter } from "../verbs/tools/select-rows.ts";
import { fieldsParameter, pickFields } from "./fields.ts";
import { pagedListing } from "./listing.ts";
import { text, word, words } from "./query.ts";

const itemFilters = {
  approval: words(ApprovalWordShape.options, "only items with this approval status; separate several by commas"),
  enabled: word(["true", "false"], "false: only items that a person blocked; true: only others"),
  risk: word(ToolScan.entries.verdict.options, "only items with this verdict of the offline scan; for administrators"),
  q: text(200, "words that must all occur in server, name, title or description"),
};
const Filters = v.object(itemFilters);

const itemPages = pagedListing("items", ROW_SORTS, "servers as configured, items as listed");

/** The query parameters for lists of one server's prompts, resources and templates. */
export const serverItemsQuery = v.object({ ...itemFilters, ...itemPages.query, fields: fieldsParameter(ItemEntry) });
/** The query parameters for lists of the items of all servers. */
export const allItemsQuery = v.object({
  server: text(128, "only items of this server"),
  ...serverItemsQuery.entries,
});

/** The response with a list of one server's items. */
export const ServerItems = v.object({
  server_name: v.string(),
  items: v.array(ItemEntry),
  count: v.pipe(v.number(), v.description("number of items in this response")),
  ...pageMembers,
});
/** The response with a list of the items of all servers. */
export const AllItems = v.object({ items: v.array(ItemEntry), ...pageMembers });

interface Request<Query> {
  readonly app: App;
  readonly caller: Caller;
  readonly query: Query;
  readonly signal: AbortSignal;
}

/** Answers a request for a list of one server's items. @throws the same as `listItems` */
export async function answerServerItems(
  { app, caller, query, signal }: Request<v.InferOutput<typeof serverItemsQuery>>,
  server: string,
  kind: ListedKind,
): Promise<v.InferOutput<typeof ServerItems>> {
  const choose = itemPages.choose({ ...query, server, kind });
  const { items, ...page } = await listItems(app, server, kind, caller, { filter: filterOf(query), choose, signal });
  return {
    server_name: server,
    items: items.map((item) => pickFields(item, query.fields)),
    count: items.length,
    ...page,
  };
}

/** Answers a request for a list of the items of all servers. @throws the same as `listItemsOfAllServers` */
export async function answerAllItems(
  { app, caller, query, signal }: Request<v.InferOutput<typeof allItemsQuery>>,
  kind: ListedKind,
): Promise<v.InferOutput<typeof AllItems>> {
  const { server } = query;
  const choose = itemPages.choose({ ...query, kind });
  const wanted = { server, filter: filterOf(query), choose, signal };
  const { items, ...page } = await listItemsOfAllServers(app, kind, caller, wanted);
  return { items: items.map((item) => pickFields(item, query.fields)), ...page };
}

function filterOf({ approval, enabled, risk, q }: v.InferOutput<typeof Filters>): RowFilter {
  return { approval, enabled: enabled === undefined ? undefined : enabled === "true", risk, q };
}
