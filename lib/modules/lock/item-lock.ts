import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { type ItemRow, LISTED_KINDS, type ListedKind } from "../../core/schema/item.ts";
import type { LockedItem, LockedItems } from "./document.ts";

/** The member of a locked server that has the items of each kind. */
export const LOCKED_MEMBERS = {
  prompt: "prompts",
  resource: "resources",
  template: "resource_templates",
} as const satisfies Record<ListedKind, keyof LockedItems>;

/** The prompts, resources and templates of a server as they are now, by name or URI. */
export async function itemsNow(
  app: Pick<App, "catalog">,
  server: string,
  pause: () => Promise<void> | undefined,
): Promise<LockedItems> {
  const locked: LockedItems = {};
  for (const kind of LISTED_KINDS) {
    const items = new Map<string, LockedItem>();
    for (const row of app.catalog.items.of(server, kind)) {
      items.set(row.name, lockedItemOf(row));
      const others = pause();
      if (others) await others;
    }
    // Not by assignment, since an item may have any name.
    locked[LOCKED_MEMBERS[kind]] = Object.fromEntries(items);
  }
  return locked;
}

/** The members that an approval covers, and the pin. */
export function lockedItemOf({ hash, definition }: Pick<ItemRow, "hash" | "definition">): LockedItem {
  // Neither is covered by the pin, since both change without a change of meaning.
  const { size: _, annotations, ...rest } = definition;
  const { lastModified: __, ...hints } = isJsonObject(annotations) ? annotations : {};
  return { pin: hash, definition: { ...rest, ...(Object.keys(hints).length > 0 && { annotations: hints }) } };
}
