import type { Clock } from "../base/clock.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import type { ApprovalRow, ToolRow } from "../schema/tool.ts";
import type { Store } from "../store/store.ts";
import type { Catalog, ListingCounts } from "./catalog.ts";
import { createCatalogIndex } from "./catalog-index.ts";
import { createItemCatalog } from "./create-items.ts";
import type { OpenInspector } from "./inspector.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import { createListingLog } from "./listing-log.ts";
import type { PinnedTool } from "./read-tool.ts";
import { readToolListing } from "./read-tool-listing.ts";
import { createRetries } from "./retries.ts";
import { compareRows, listedRow, rejudgedRow, rememberedRow, toolIdOf } from "./row.ts";
import { createServerScans } from "./server-scans.ts";
import { createToolDecisions } from "./tool-decisions.ts";
import { createToolRecords } from "./tool-records.ts";
import { createToolRows } from "./tool-rows.ts";
import { createToolScans } from "./tool-scans.ts";

export type OpenCatalog = Catalog & {
  /** Stops trying to write failed records again. */
  close(): void;
};

interface CatalogParts {
  store: Pick<Store, "approvals" | "itemApprovals" | "knownServers" | "evidence">;
  config: Pick<LiveConfig, "current" | "server" | "quarantined">;
  events: Pick<EventBus, "publish">;
  clock: Pick<Clock, "now" | "after">;
  log: Logger;
  /** Scans what servers list for tool poisoning. */
  inspector: OpenInspector;
}

/** Delay until records that could not be written are tried again. (ms) */
const RETRY_MS = 5000;

const NOTHING: ListingCounts = { total: 0, added: [], changed: [], removed: [] };

type Hide = (text: string) => string;

/** Opens the catalog with the stored tools of the configured servers. It is `ready` when they can be searched. */
export function createCatalog({ store, config, events, clock, log, inspector }: CatalogParts): OpenCatalog {
  const records = createToolRecords(store, log);
  const listingLog = createListingLog<ToolRow>(log);
  const rows = createToolRows();
  const index = createCatalogIndex(rows.byId);
  /** Processes the listings and removals of a server one after the other. */
  const serially = createKeyedQueue();
  /** Listings with records that could not be written, by server. */
  const retries = createRetries(clock, RETRY_MS);
  const inspect = inspector(rows.byServer);
  const decider = createToolDecisions({ config, store, records, inspect, clock });
  const scans = createToolScans(inspect, rows.namesOf);
  const serverScans = createServerScans({
    of: rows.of,
    examined: (row) => inspect.prepareTool(row, row.hash),
    scan: (server, row) => scans.scan(server, row, row.hash),
    scanInstructions: scans.scanInstructions,
    itemsOf: (server, kind) => items.of(server, kind),
    itemExamined: ({ kind, definition, hash }) => items.prepareScan(kind, definition, hash),
    scanItem: ({ server, kind, definition, hash }) => items.scan(server, kind, definition, hash),
    listings: () => scans.listings,
    listingsOf: scans.listingsOf,
    itemListings: (server) => items.listings(server),
    now: () => clock.now(),
  });

  /** Servers whose first listing in this run was trusted, and the instructions of each server. */
  const baselines = new Set<string>();
  const introductions = new Map<string, string | undefined>();
  const items = createItemCatalog({
    store,
    config,
    events,
    clock,
    log,
    inspector: inspect,
    lister: scans.lister,
    hadBaseline: (server) => baselines.has(server) || records.hasOpenBaseline(server),
    isServerClean: (server) => scans.scanInstructions(server, introductions.get(server)).verdict === "clean",
  });

  remember(store.approvals.all());
  const isFirst = rows.byId.size === 0;
  const indexed = index.indexRemembered();
  log.catch("indexing remembered tools", indexed);

  function remember(records: readonly ApprovalRow[]): void {
    const lists = new Map<string, ToolRow[]>();
    for (const record of records) {
      if (!config.server(record.server)) continue;
      const row = rememberedRow(record);
      if (!row) continue;
      const list = lists.get(record.server);
      if (list) list.push(row);
      else lists.set(record.server, [row]);
    }
    for (const [server, list] of lists) replace(server, list);
  }

  function replace(server: string, after: readonly ToolRow[]): void {
    inspect.changed(server, rows.replace(server, after), after);
  }

  async function take(
    server: string,
    entries: readonly unknown[],
    instructions?: string,
    hide?: Hide,
  ): Promise<ListingCounts> {
    retries.cancel(server);
    await index.open();
    const { found, unchanged, faults } = await readToolListing(server, entries, rows.byId, hide);
    await inspect.prepare(decider.undecided(server, found));
    listingLog.logSkipped(server, faults);
    if (!config.server(server)) return NOTHING;
    if (records.hasOpenBaseline(server)) baselines.add(server);
    introductions.set(server, instructions);
    const decide = decider.decide(server, found, instructions);
    const previous = records.of(server);
    const decisions = found.flatMap((tool) => decide(tool, previous.get(tool.definition.name)) ?? []);
    const before = rows.of(server);
    hold(server, before, found, decisions);
    const byName = new Map(found.map((tool) => [tool.definition.name, tool]));
    const unwritten = await records.write(
      server,
      decisions.map(({ tool }) => tool),
      (name, record) => decide(byName.get(name)!, record),
    );
    // While the records were being written, the server may have been removed, or its tools approved.
    if (!config.server(server)) return NOTHING;
    if (unwritten.size > 0)
      retries.plan(server, () =>
        log.catch(
          `recording the tools of "${server}" again`,
          serially(server, () => take(server, entries, instructions, hide)),
        ),
      );
    const recorded = records.of(server);
    const after = found.map((tool) => {
      const { name } = tool.definition;
      const old = unchanged.has(name) && rows.byId.get(toolIdOf(server, name));
      const row = old ? rejudgedRow(old, recorded.get(name)) : listedRow(server, tool, recorded.get(name));
      return unwritten.has(name) ? { ...row, recorded: false } : row;
    });
    return settle(server, before, after);
  }

  /** Makes tools that are no longer approved unusable at once, before the new records are on the disk. */
  function hold(
    server: string,
    before: readonly ToolRow[],
    found: readonly PinnedTool[],
    decisions: readonly ApprovalRow[],
  ): void {
    const waiting = new Map(decisions.filter((d) => d.status !== "approved").map((record) => [record.tool, record]));
    const heldTools = new Map(
      found.flatMap((tool) => {
        const record = waiting.get(tool.definition.name);
        return record ? [[record.tool, listedRow(server, tool, record)]] : [];
      }),
    );
    if (before.some((row) => heldTools.has(row.name)))
      replace(
        server,
        before.map((row) => heldTools.get(row.name) ?? row),
      );
  }

  async function settle(server: string, before: readonly ToolRow[], after: readonly ToolRow[]): Promise<ListingCounts> {
    const difference = compareRows(before, after);
    if (!difference) return { ...NOTHING, total: after.length };
    const { searchable, ...discovery } = difference;
    replace(server, after);
    scans.listed(server);
    const { added, changed, removed, total } = discovery;
    await index.update(server, removed, searchable);
    const flagged = (row: ToolRow) => scans.scan(server, row, row.hash).verdict !== "clean";
    listingLog.logWaiting(server, before, after, flagged);
    events.publish("tools.indexed", {
      server,
      total,
      added: added.length,
      changed: changed.length,
      removed: removed.length,
    });
    return discovery;
  }

  async function forget(server: string): Promise<void> {
    const removed = rows.of(server);
    replace(server, []);
    scans.listed(server);
    serverScans.forget(server);
    listingLog.forget(server);
    retries.cancel(server);
    await index.update(
      server,
      removed.map((row) => row.name),
      [],
    );
    if (removed.length > 0) events.publish("tools.changed", { server });
    records.forget(server);
    baselines.delete(server);
    introductions.delete(server);
    await items.drop(server);
  }

  return {
    items,
    get: (id) => rows.byId.get(id),
    of: rows.of,
    *all() {
      for (const list of rows.byServer.values()) yield* list;
    },
    servers: () => rows.byServer.keys(),
    get size() {
      return rows.byId.size;
    },
    get ready() {
      return index.ready;
    },
    isFirst,
    indexed,
    get revision() {
      return rows.revision;
    },
    acceptListing: (server, tools, instructions, hide) =>
      serially(server, () => take(server, tools, instructions, hide)),
    prepareScan: inspect.prepareTool,
    scan: scans.scan,
    scanInstructions: scans.scanInstructions,
    scanServer: serverScans.read,
    isServerScanned: serverScans.isRead,
    cachedServerScan: serverScans.cached,
    skippedTools: listingLog.lastSkipped,
    drop: (server) => serially(server, () => forget(server)),
    reloadApprovals(server) {
      items.reload(server);
      const before = rows.of(server);
      const recorded = records.of(server);
      const after = before.map((row) => rejudgedRow(row, recorded.get(row.name)));
      if (!compareRows(before, after)) return;
      replace(server, after);
      events.publish("tools.changed", { server });
    },
    search: index.find,
    ranked: index.ranked,

    close() {
      retries.close();
      items.close();
    },
  };
}
