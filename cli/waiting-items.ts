import { ITEM_WORDS } from "#lib/core/schema/item.ts";
import type { ItemEntry } from "#lib/core/schema/item-entry.ts";
import type { Cli } from "./cli.ts";
import { itemEntriesOf } from "./item-entries.ts";
import { firstLine, graveFindings } from "./waiting-tools.ts";

/** The prompts, resources and templates of a server that wait for review: new or changed, and not blocked. */
export async function waitingItems(cli: Cli, server: string): Promise<ItemEntry[]> {
  const items = await itemEntriesOf(cli, server, ["prompt", "resource", "template"]);
  return items.filter((item) => item.approval_status !== "approved" && !item.disabled);
}

/** One line for each item, followed by one for each finding that must be accepted. */
export function itemLines(items: readonly ItemEntry[]): string {
  return items
    .flatMap((item) => [
      `  ${ITEM_WORDS[item.kind].noun} ${item.name}${item.approval_status === "changed" ? " (changed)" : ""}: ${firstLine(item.description)}`,
      ...graveFindings(item).map(
        ({ severity, rule, location, explanation }) => `    ${severity}: ${rule} in ${location}: ${explanation}`,
      ),
    ])
    .join("\n");
}

/** Describes the items that a response reports as still waiting. */
export function stillWaitingItemsText(
  pending: readonly { kind: ItemEntry["kind"]; name: string; reason: string; rules?: readonly string[] | undefined }[],
): string {
  return pending
    .map(({ kind, name, reason, rules = [] }) => {
      const why = reason === "findings" ? `the scan found ${rules.join(", ")}` : (WHY[reason] ?? reason);
      return `  ${ITEM_WORDS[kind].noun} ${name}: not approved, ${why}`;
    })
    .join("\n");
}

const WHY: Readonly<Record<string, string>> = {
  changed_since: "added or changed after it was shown",
  not_listed: "the server does not list it",
  not_reviewed: "it was not shown",
};
