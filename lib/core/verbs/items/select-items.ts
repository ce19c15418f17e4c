import type { App } from "../../app.ts";
import { isToolHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ItemRow } from "../../schema/item.ts";
import type { ListPage } from "../../schema/list-page.ts";
import { serverReview } from "../servers/review.ts";
import { type RowListOptions, selectRows } from "../tools/select-rows.ts";

/**
 * Returns the requested page of prompts, resources or templates. Callers other than administrators see only approved
 * ones, because even names and URIs are texts of the server.
 *
 * @throws the same as `selectRows`
 */
export function selectItems(
  app: App,
  rows: readonly ItemRow[],
  caller: Caller,
  options: RowListOptions,
): Promise<ListPage<ItemRow>> {
  const { items } = app.catalog;
  return selectRows(rows, caller, options, {
    isSelected: (row) => !isToolHidden(row, serverReview(app, row.server), caller),
    isEnabled: (row) => !row.disabled,
    text: ({ server, name, definition: { title, description } }) =>
      [server, name, title, description].filter((one) => typeof one === "string").join(" "),
    prepareScan: ({ kind, definition, hash }) => items.prepareScan(kind, definition, hash),
    scan: ({ server, kind, definition, hash }) => items.scan(server, kind, definition, hash),
    value: (row) => row.name,
  });
}
