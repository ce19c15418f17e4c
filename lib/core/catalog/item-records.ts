import { reasonOf } from "../base/fault.ts";
import { plural } from "../base/plural.ts";
import type { Logger } from "../log/logger.ts";
import { ITEM_WORDS, type ItemApprovalRow, type ListedKind } from "../schema/item.ts";
import type { Store } from "../store/store.ts";
import { inSlices } from "./slices.ts";

/** The stored approvals of prompts, resources and templates. */
export interface ItemRecords {
  /** Returns the records of a server by name. */
  of(server: string, kind: ListedKind): Map<string, ItemApprovalRow>;
  /**
   * Writes the records that a complete listing changed.
   *
   * @param removed records to delete
   * @returns true if the records are on the disk; a failure is logged
   */
  write(
    server: string,
    kind: ListedKind,
    decisions: readonly ItemApprovalRow[],
    removed: readonly ItemApprovalRow[],
  ): Promise<boolean>;
}

/** Maximum number of rows in one write. */
const TOGETHER = 500;

export function createItemRecords(store: Pick<Store, "itemApprovals">, log: Logger): ItemRecords {
  async function putAll(decisions: readonly ItemApprovalRow[], puts: Promise<void>[]): Promise<void> {
    if (decisions.length === 0) return;
    if (decisions.length <= TOGETHER) return void puts.push(store.itemApprovals.put(decisions));
    await inSlices(decisions, TOGETHER, (some) => {
      const durable = store.itemApprovals.put(some);
      // The caller awaits the promise; until then this avoids a report of an unhandled rejection by Node.
      durable.catch(() => {});
      puts.push(durable);
    });
  }

  return {
    of: (server, kind) => new Map(store.itemApprovals.of(server, kind).map((record) => [record.name, record])),

    async write(server, kind, decisions, removed) {
      try {
        const puts: Promise<void>[] = [];
        await putAll(decisions, puts);
        const names = removed.map(({ name }) => name);
        if (names.length > 0) puts.push(store.itemApprovals.remove(server, kind, names));
        await Promise.all(puts);
        return true;
      } catch (error) {
        const what = plural(decisions.length, ITEM_WORDS[kind].noun);
        log.error(
          `approval records of ${what} of server "${server}" could not be written; they cannot be used until they are, which is tried again`,
          { reason: reasonOf(error) },
        );
        return false;
      }
    },
  };
}
