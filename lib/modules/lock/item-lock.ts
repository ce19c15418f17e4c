import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { type ItemRow, LISTED_KINDS, type ListedKind } from "../../core/schema/item.ts";
import type { LockedItem, LockedItems } from "./document.ts";

/** The member of a server in the lock file that contains the items of each kind. */
export const LOCKED_MEMBERS = {
  prompt: "prompts",
  resource: "resources",
  template: "resource_templates",
} as const satisfies Record<ListedKind, keyof LockedItems>;

/** The current prompts, resources and templates of a server, by name or URI. */
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
    // `Object.fromEntries` is safe for any name, such as `__proto__`; assignment is not.
    locked[LOCKED_MEMBERS[kind]] = Object.fromEntries(items);
  }
  return locked;
}

/** The members of an item that an approval covers, and its pin. */
export function lockedItemOf({ hash, definition }: Pick<ItemRow, "hash" | "definition">): LockedItem {
  // The pin covers neither, because both change without a change of meaning.
  const { size: _, annotations, ...rest } = definition;
  const { lastModified: __, ...hints } = isJsonObject(annotations) ? annotations : {};
  return { pin: hash, definition: { ...rest, ...(Object.keys(hints).length > 0 && { annotations: hints }) } };
}
