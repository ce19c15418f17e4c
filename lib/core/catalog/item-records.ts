import { reasonOf } from "../base/fault.ts";
import { plural } from "../base/plural.ts";
import type { Logger } from "../log/logger.ts";
import { ITEM_WORDS, type ItemApprovalRow, type ListedKind } from "../schema/item.ts";
import type { RowEdit, Store } from "../store/store.ts";
import { inSlices } from "./slices.ts";

/** The stored approvals of prompts, resources and templates. */
export interface ItemRecords {
  /** Returns the records of a server by name. */
  of(server: string, kind: ListedKind): Map<string, ItemApprovalRow>;
  /**
   * Writes the records that a complete listing changes.
   *
   * @param edit decides about one of the items from its newest record, which a person may have changed meanwhile
   * @returns true if the records are on the disk; a failure is logged
   */
  write(server: string, kind: ListedKind, names: readonly string[], edit: RowEdit<ItemApprovalRow>): Promise<boolean>;
}

/** Maximum number of rows in one write. */
const TOGETHER = 500;

export function createItemRecords(store: Pick<Store, "itemApprovals">, log: Logger): ItemRecords {
  return {
    of: (server, kind) => new Map(store.itemApprovals.of(server, kind).map((record) => [record.name, record])),

    async write(server, kind, names, edit) {
      const change = (some: readonly string[]) =>
        store.itemApprovals.changeAll(
          server,
          some.map((name) => ({ kind, name })),
          (record, { name }) => edit(record, name),
        );
      try {
        if (names.length > TOGETHER) {
          const changes: Promise<unknown>[] = [];
          await inSlices(names, TOGETHER, (some) => {
            const durable = change(some);
            // Awaited below; until then this avoids a report of an unhandled rejection by Node.
            durable.catch(() => {});
            changes.push(durable);
          });
          await Promise.all(changes);
        } else if (names.length > 0) await change(names);
        return true;
      } catch (error) {
        const what = plural(names.length, ITEM_WORDS[kind].noun);
        log.error(
          `approval records of ${what} of server "${server}" could not be written; they cannot be used until they are, which is tried again`,
          { reason: reasonOf(error) },
        );
        return false;
      }
    },
  };
}
