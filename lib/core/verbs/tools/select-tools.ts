import type { App } from "../../app.ts";
import { escapeInvisible } from "../../base/excerpt.ts";
import { isDenied } from "../../gateway/tool-snapshot.ts";
import { isToolHidden } from "../../policy/hidden.ts";
import { permissionsFor } from "../../policy/permissions.ts";
import type { Caller, Permission } from "../../schema/caller.ts";
import type { ListPage } from "../../schema/list-page.ts";
import type { ToolRow } from "../../schema/tool.ts";
import { serverReview } from "../servers/review.ts";
import type { CallCounts } from "./call-counts.ts";
import { type RowFilter, type RowListOptions, selectRows } from "./select-rows.ts";

/** Filters for tools; a tool must match all of them. */
export interface ToolFilter extends RowFilter {
  server?: string | undefined;
  /** Selects tools that require this permission. */
  permission?: Permission | undefined;
}

/** The requested page of tools. */
export type ToolListOptions = RowListOptions<ToolFilter>;

/** The sort keys of tools. */
export const TOOL_SORTS = ["name", "server_name", "usage", "last_used", "approval_status", "risk"] as const;

/**
 * Returns the requested page of some tools. Texts that the caller may not read, and calls that it may not know of, have
 * no influence on selection or order.
 *
 * @throws the same as `selectRows`
 */
export function selectTools(
  app: App,
  rows: readonly ToolRow[],
  { caller, callsOf }: { caller: Caller; callsOf: CallCounts },
  options: ToolListOptions,
): Promise<ListPage<ToolRow>> {
  const { server, permission } = options.filter ?? {};
  return selectRows(rows, caller, options, {
    isSelected: (row) =>
      (server === undefined || row.server === server) &&
      (permission === undefined ||
        (!isWithheld(app, row, caller) && permissionsFor(row.annotations).includes(permission))),
    isEnabled: (row) => isToolEnabled(app, row),
    text: (row) => textOf(app, row, caller),
    prepareScan: (row) => app.catalog.prepareScan(row, row.hash),
    scan: (row) => app.catalog.scan(row.server, row, row.hash),
    value(row, sort) {
      if (sort === "usage") return callsOf(row)?.count ?? 0;
      if (sort === "last_used") return callsOf(row)?.lastUsed;
      return shownName(app, row, caller);
    },
  });
}

/** True if a tool is neither blocked or disabled by a person nor excluded by the configuration. */
function isToolEnabled(app: App, row: ToolRow): boolean {
  const server = app.config.server(row.server);
  return !row.disabled && !(server !== undefined && isDenied(server, row.name));
}

const isWithheld = (app: App, row: ToolRow, caller: Caller) => isToolHidden(row, serverReview(app, row.server), caller);
const shownName = (app: App, row: ToolRow, caller: Caller) =>
  isWithheld(app, row, caller) ? escapeInvisible(row.name) : row.name;

function textOf(app: App, row: ToolRow, caller: Caller): string {
  const name = `${row.server}:${shownName(app, row, caller)}`;
  return isWithheld(app, row, caller) ? name : `${name} ${row.title ?? ""} ${row.description}`;
}
