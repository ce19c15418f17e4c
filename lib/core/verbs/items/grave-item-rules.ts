import type { App } from "../../app.ts";
import type { ItemApprovalRow } from "../../schema/item.ts";

/** Returns the rules with findings of severity high or critical in an item. Await `prepareScan` first. */
export function graveItemRules(
  { catalog }: Pick<App, "catalog">,
  { server, kind, current, currentHash }: ItemApprovalRow,
): string[] {
  const { findings } = catalog.items.scan(server, kind, current, currentHash);
  const grave = findings.filter(({ severity }) => severity === "critical" || severity === "high");
  return [...new Set(grave.map(({ rule }) => rule))];
}
