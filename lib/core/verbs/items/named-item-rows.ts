import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { ItemApprovalRow, ListedKind } from "../../schema/item.ts";

/**
 * Returns the records of the items with these names; a name may belong to items of several kinds. @throws Fault
 * items_not_found
 */
export function namedItemRows(
  app: Pick<App, "store">,
  server: string,
  kinds: readonly ListedKind[],
  names: readonly string[],
): ItemApprovalRow[] {
  const found = [...new Set(names)].map((name) => ({
    name,
    rows: kinds.flatMap((kind) => app.store.itemApprovals.get(server, kind, name) ?? []),
  }));
  const missing = found.filter(({ rows }) => rows.length === 0).map(({ name }) => name);
  if (missing.length > 0) throw new Fault("items_not_found", { server, items: missing });
  return found.flatMap(({ rows }) => rows);
}
