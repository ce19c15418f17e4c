import type { Clock } from "../base/clock.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import {
  type ItemApprovalRow,
  type ItemListingCounts,
  type ItemRow,
  LISTED_KINDS,
  type ListedKind,
} from "../schema/item.ts";
import type { Store } from "../store/store.ts";
import { isAutomaticItemRecord } from "./decide-items.ts";
import type { ListingServer, ToolInspector } from "./inspector.ts";
import type { ItemCatalog } from "./item-catalog.ts";
import { createItemDecisions } from "./item-decisions.ts";
import { createItemRecords } from "./item-records.ts";
import { listedItemRow, rejudgedItemRow, rememberedItemRow, sameItemRow } from "./item-row.ts";
import { createItemRows, type ItemRowsByName } from "./item-rows.ts";
import { createItemScans } from "./item-scans.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import { createListingLog } from "./listing-log.ts";
import type { PinnedItem } from "./read-item.ts";
import { readItemListing } from "./read-item-listing.ts";
import { createRetries } from "./retries.ts";

interface ItemCatalogParts {
  store: Pick<Store, "itemApprovals" | "evidence">;
  config: Pick<LiveConfig, "current" | "server" | "quarantined">;
  events: Pick<EventBus, "publish">;
  clock: Pick<Clock, "now" | "after">;
  log: Logger;
  inspector: ToolInspector;
  /** Returns the server and its tools, for the scan. */
  lister(server: string): ListingServer;
  /** True if the first listing of a server in this run was trusted as its baseline. */
  hadBaseline(server: string): boolean;
  /** True if the scan finds nothing in the server's instructions. */
  isServerClean(server: string): boolean;
}

type OpenItemCatalog = ItemCatalog & {
  /** Reads the approval records of a server again after a decision about them. */
  reload(server: string): void;
  /** Removes the rows of a server that was removed from the configuration. Its records stay. */
  drop(server: string): Promise<void>;
  /** Stops trying to write failed records again. */
  close(): void;
};

/** Delay until records that could not be written are tried again. (ms) */
const RETRY_MS = 5000;

const NOTHING: ItemListingCounts = { total: 0, added: [], changed: [], removed: [] };

/** Opens the item catalog with the stored items of the configured servers. */
export function createItemCatalog(parts: ItemCatalogParts): OpenItemCatalog {
  const { store, config, events, clock, log } = parts;
  const rows = createItemRows();
  const logs = new Map(LISTED_KINDS.map((kind) => [kind, createListingLog<ItemRow>(log, kind)]));
  const scans = createItemScans(parts.inspector, parts.lister);
  const records = createItemRecords(store, log);
  const decideListing = createItemDecisions({
    config,
    store,
    records,
    scans,
    clock,
    mayBeBaseline: (server, kind) => !listed.has(keyOf(kind, server)) && parts.hadBaseline(server),
    isServerClean: parts.isServerClean,
  });
  const serially = createKeyedQueue();
  const retries = createRetries(clock, RETRY_MS);
  /** Kinds of items that a server has listed in this run; the first list may be its baseline. */
  const listed = new Set<string>();

  const remembered = new Map<string, { server: string; kind: ListedKind; byName: Map<string, ItemRow> }>();
  for (const record of store.itemApprovals.all()) {
    const { server, kind, name } = record;
    if (!config.server(server)) continue;
    const entry = remembered.get(keyOf(kind, server)) ?? { server, kind, byName: new Map() };
    remembered.set(keyOf(kind, server), entry);
    entry.byName.set(name, rememberedItemRow(record));
  }
  for (const { server, kind, byName } of remembered.values()) rows.replace(server, kind, byName);

  function replace(server: string, kind: ListedKind, after: ItemRowsByName): void {
    rows.replace(server, kind, after);
    events.publish("items.changed", { server, kind });
  }

  function accept(
    server: string,
    kind: ListedKind,
    entries: readonly unknown[],
    hide?: (text: string) => string,
  ): Promise<ItemListingCounts> {
    return serially(keyOf(kind, server), async () => {
      retries.cancel(keyOf(kind, server));
      const { found, faults } = await readItemListing(kind, entries, hide);
      logs.get(kind)!.logSkipped(server, faults);
      return await take(server, kind, found, () =>
        log.catch(`recording the items of "${server}" again`, accept(server, kind, entries, hide)),
      );
    });
  }

  async function decideAgain(server: string): Promise<void> {
    for (const kind of LISTED_KINDS)
      await serially(keyOf(kind, server), async () => {
        if (!listed.has(keyOf(kind, server))) return;
        const found = new Map([...rows.of(server, kind)].map(([name, row]) => [name, { ...row, leftOut: [] }]));
        await take(server, kind, found, () =>
          log.catch(`recording the items of "${server}" again`, decideAgain(server)),
        );
      });
  }

  /** @param again called later if the records could not be written */
  async function take(
    server: string,
    kind: ListedKind,
    found: ReadonlyMap<string, PinnedItem>,
    again: () => void,
  ): Promise<ItemListingCounts> {
    const decide = await decideListing(server, kind, found);
    if (!decide) return NOTHING;
    // The records are read after the last wait, so that `hold` follows the newest decision of a person.
    const known = records.of(server, kind);
    const decisions = [...found.values()].flatMap((item) => decide(item, known.get(item.name)) ?? []);
    const previous = rows.of(server, kind);
    hold(server, kind, found, decisions);
    const removed =
      kind === "resource"
        ? [...known.values()].filter((row) => !found.has(row.name) && isAutomaticItemRecord(row))
        : [];
    const names = [...decisions, ...removed].map(({ name }) => name);
    const written = await records.write(server, kind, names, (record, name) => {
      const item = found.get(name);
      if (item) return decide(item, record);
      return record && isAutomaticItemRecord(record) ? "remove" : undefined;
    });
    listed.add(keyOf(kind, server));
    // While the records were being written, the server may have been removed.
    if (!config.server(server)) return NOTHING;
    if (!written) retries.plan(keyOf(kind, server), again);
    const recorded = records.of(server, kind);
    const unwritten = new Set(written ? [] : decisions.map(({ name }) => name));
    const before = rows.of(server, kind);
    const after = new Map<string, ItemRow>();
    for (const [name, pinned] of found) {
      const row = listedItemRow(server, kind, pinned, recorded.get(name));
      after.set(name, sameItemRow(before.get(name), unwritten.has(name) ? { ...row, recorded: false } : row));
    }
    return settle(server, kind, previous, after);
  }

  /** Makes items that are no longer approved unusable at once, before the new records are on the disk. */
  function hold(
    server: string,
    kind: ListedKind,
    found: ReadonlyMap<string, PinnedItem>,
    decisions: readonly ItemApprovalRow[],
  ): void {
    const before = rows.of(server, kind);
    const waiting = decisions.filter(({ status, name }) => status !== "approved" && before.has(name));
    if (waiting.length === 0) return;
    const after = new Map(before);
    for (const record of waiting) after.set(record.name, listedItemRow(server, kind, found.get(record.name)!, record));
    replace(server, kind, after);
  }

  /** @param before the rows before this listing, without the changes that `hold` made for it */
  function settle(server: string, kind: ListedKind, before: ItemRowsByName, after: ItemRowsByName): ItemListingCounts {
    const current = [...rows.of(server, kind).values()];
    const counts = {
      total: after.size,
      added: [...after.keys()].filter((name) => !before.has(name)),
      changed: [...after].flatMap(([name, row]) => ((before.get(name)?.hash ?? row.hash) === row.hash ? [] : [name])),
      removed: [...before.keys()].filter((name) => !after.has(name)),
    };
    const flagged = ({ definition, hash }: ItemRow) => scans.scan(server, kind, definition, hash).verdict !== "clean";
    logs.get(kind)!.logWaiting(server, [...before.values()], [...after.values()], flagged);
    if (current.length === after.size && [...after.values()].every((row, at) => row === current[at])) return counts;
    replace(server, kind, after);
    return counts;
  }

  function reload(server: string): void {
    for (const kind of LISTED_KINDS) {
      const before = rows.of(server, kind);
      if (before.size === 0) continue;
      const recorded = records.of(server, kind);
      const after = new Map([...before].map(([name, row]) => [name, rejudgedItemRow(row, recorded.get(name))]));
      if ([...after].some(([name, row]) => row !== before.get(name))) replace(server, kind, after);
    }
  }

  async function drop(server: string): Promise<void> {
    for (const kind of LISTED_KINDS)
      await serially(keyOf(kind, server), async () => {
        retries.cancel(keyOf(kind, server));
        listed.delete(keyOf(kind, server));
        logs.get(kind)!.forget(server);
        if (rows.of(server, kind).size > 0) replace(server, kind, new Map());
      });
    rows.forgetChanges(server);
  }

  return {
    of: rows.list,
    get: (kind, server, name) => rows.of(server, kind).get(name),
    all: rows.all,
    servers: rows.servers,
    get revision() {
      return rows.revision;
    },
    listings: rows.changedIn,
    accept,
    decideAgain,
    scan: scans.scan,
    prepareScan: scans.prepare,
    skipped: (server, kind) => logs.get(kind)!.lastSkipped(server),
    reload,
    drop,
    close: retries.close,
  };
}

const keyOf = (kind: ListedKind, server: string) => `${kind} ${server}`;
