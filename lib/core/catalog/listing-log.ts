import { plural } from "../base/plural.ts";
import type { Logger } from "../log/logger.ts";
import { ITEM_WORDS, type ItemKind, type JudgedRow } from "../schema/item.ts";

/** What the log and doctor are told about listings. */
interface ListingLog<Row extends JudgedRow> {
  /** Entries that are left out, and why; not at every listing. */
  logSkipped(server: string, faults: readonly string[]): void;
  /** What was left out of its last listing, in one line; empty when nothing was. */
  lastSkipped(server: string): string;
  /**
   * Logs the items of a listing that wait for approval and did not wait before.
   *
   * @param flagged whether the scan has findings in an item; the log line gives the number of those
   */
  logWaiting(server: string, before: readonly Row[], after: readonly Row[], flagged: (row: Row) => boolean): void;
  forget(server: string): void;
}

/** Names in one log line. */
const NAMED = 5;

/** @param kind what the listings are of */
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
      const known = new Set(before.filter((row) => row.status !== "approved").map((row) => row.hash));
      const fresh = after.filter((row) => row.status !== "approved" && !known.has(row.hash));
      if (fresh.length === 0) return;
      const names = some(fresh.map((row) => JSON.stringify(row.name)));
      const bad = fresh.filter(flagged).length;
      const warning = bad > 0 ? `; ${bad} of them may be poisoned; see: proxy ${command} list -s ${server}` : "";
      const what = plural(fresh.length, `new or changed ${noun}`);
      log.warn(
        `${what} of server "${server}" ${fresh.length === 1 ? "waits" : "wait"} for approval: ${names}${warning}`,
      );
    },

    forget: (server) => void last.delete(server),
  };
}

function some(items: readonly string[]): string {
  return items.slice(0, NAMED).join(", ") + (items.length > NAMED ? `, and ${items.length - NAMED} more` : "");
}
