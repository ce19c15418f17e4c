import { plural } from "../base/plural.ts";
import type { Logger } from "../log/logger.ts";
import { ITEM_WORDS, type ItemKind, type JudgedRow } from "../schema/item.ts";

/** What the log and `proxy doctor` report about listings. */
interface ListingLog<Row extends JudgedRow> {
  /** Logs the entries that are left out, and why, unless the previous listing left out the same. */
  logSkipped(server: string, faults: readonly string[]): void;
  /** Returns what was left out of the last listing, in one line; empty if nothing was. */
  lastSkipped(server: string): string;
  /**
   * Logs the items of a listing that wait for approval now and did not before.
   *
   * @param flagged true if the scan has findings in an item; the log line contains the number of such items
   */
  logWaiting(server: string, before: readonly Row[], after: readonly Row[], flagged: (row: Row) => boolean): void;
  forget(server: string): void;
}

/** Maximum number of names in one log line. */
const NAMED = 5;

/** Makes the log of one kind of listing. @param kind the kind of the listed items */
export function createListingLog<Row extends JudgedRow>(log: Logger, kind: ItemKind = "tool"): ListingLog<Row> {
  const { noun, plural: items, command } = ITEM_WORDS[kind];
  const last = new Map<string, string>();
  return {
    logSkipped(server, faults) {
      const text = some(faults);
      if (text !== "" && last.get(server) !== text)
        log.warn(`server "${server}" lists ${items} that the proxy omits: ${text}`);
      last.set(server, text);
    },

    lastSkipped: (server) => last.get(server) ?? "",

    logWaiting(server, before, after, flagged) {
      const knownHashes = new Set(before.filter((row) => row.status !== "approved").map((row) => row.hash));
      const newRows = after.filter((row) => row.status !== "approved" && !knownHashes.has(row.hash));
      if (newRows.length === 0) return;
      const names = some(newRows.map((row) => JSON.stringify(row.name)));
      const bad = newRows.filter(flagged).length;
      const warning = bad > 0 ? `; ${bad} of them may be poisoned; see: proxy ${command} list -s ${server}` : "";
      const what = plural(newRows.length, `new or changed ${noun}`);
      log.warn(
        `${what} of server "${server}" ${newRows.length === 1 ? "waits" : "wait"} for approval: ${names}${warning}`,
      );
    },

    forget: (server) => void last.delete(server),
  };
}

function some(items: readonly string[]): string {
  return items.slice(0, NAMED).join(", ") + (items.length > NAMED ? `, and ${items.length - NAMED} more` : "");
}
