import { setTimeout } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import type { RuleReport } from "../schema/rule-finding.ts";
import type { ApprovalRow, ToolDefinition, ToolRow } from "../schema/tool.ts";
import type { Store } from "../store/store.ts";
import type { Catalog, ListingCounts } from "./catalog.ts";
import { createItemCatalog } from "./create-items.ts";
import { approvalTrustOf, decideApprovals } from "./decide-approvals.ts";
import type { OpenInspector } from "./inspector.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import { createListingLog } from "./listing-log.ts";
import { type PinnedTool, readListedTool } from "./read-tool.ts";
import { createRetries } from "./retries.ts";
import { compareRows, isListedAs, listedRow, rejudgedRow, rememberedRow, toolIdOf } from "./row.ts";
import { createCatalogSearch } from "./search.ts";
import { createServerScans } from "./server-scans.ts";
import { inSlices } from "./slices.ts";
import { loadSynonyms } from "./synonyms.ts";
import { createToolRecords } from "./tool-records.ts";

export type OpenCatalog = Catalog & {
  /** Nothing is tried again from here on. */
  close(): void;
};

interface CatalogParts {
  store: Pick<Store, "approvals" | "itemApprovals" | "knownServers" | "evidence">;
  config: Pick<LiveConfig, "current" | "server" | "quarantined">;
  events: Pick<EventBus, "publish">;
  clock: Pick<Clock, "now" | "after">;
  log: Logger;
  /** Looks for poison in what servers list. */
  inspector: OpenInspector;
}

/** Until records that could not be written are tried again. (ms) */
const RETRY_MS = 5000;
/** By then the program answers, and nobody has searched yet. (ms) */
const SETTLED_MS = 400;

const NOTHING: ListingCounts = { total: 0, added: [], changed: [], removed: [] };

/** A change of more tools than this keeps the program from being ready: searches find a part of them until it is done. */
const LARGE = 500;

/** Opens the catalog with what is remembered of the configured servers' tools; `ready` once that can be searched. */
export function createCatalog({ store, config, events, clock, log, inspector }: CatalogParts): OpenCatalog {
  const records = createToolRecords(store, log);
  const telling = createListingLog<ToolRow>(log);
  const rows = new Map<string, ToolRow>();
  const search = createCatalogSearch(rows);
  const byServer = new Map<string, readonly ToolRow[]>();
  /** One listing or removal of a server at a time, in the order they came. */
  const inTurn = createKeyedQueue();
  /** Listings with records that could not be written, by server. */
  const retries = createRetries(clock, RETRY_MS);
  let revision = 0;
  /** Bumped whenever a listing differs from the one before; decisions about tools leave it as it is. */
  let listings = 0;
  let ready = false;
  /** Large changes of the index that are under way. */
  let large = 0;
  /** Names of one server's tools, by its list. */
  const ownNames = new WeakMap<readonly ToolRow[], ReadonlySet<string>>();
  const scans = inspector(byServer);
  /** What the scan says of rows, good until the next listing of any server. */
  let reports = { listings, of: new WeakMap<ToolDefinition, RuleReport>() };
  const serverScans = createServerScans({
    of: (server) => byServer.get(server) ?? [],
    examined: (row) => scans.prepareTool(row, row.hash),
    scan: (server, row) => scan(server, row, row.hash),
    scanInstructions: (server, instructions) =>
      scans.reportForInstructions(instructions, { server, own: toolsOf(server) }),
    listings: () => listings,
    now: () => clock.now(),
  });

  /** Servers whose first listing in this run was trusted, and what each says of itself. */
  const baselines = new Set<string>();
  const introductions = new Map<string, string | undefined>();
  const items = createItemCatalog({
    store,
    config,
    events,
    clock,
    log,
    inspector: scans,
    lister: (server) => ({ server, own: toolsOf(server) }),
    hadBaseline: (server) => baselines.has(server) || records.hasOpenBaseline(server),
    isServerClean: (server) =>
      scans.reportForInstructions(introductions.get(server), { server, own: toolsOf(server) }).verdict === "clean",
  });

  remember(store.approvals.all());
  const isFirst = rows.size === 0;
  const indexed = indexRemembered();
  log.catch("indexing remembered tools", prepare());

  function scan(server: string, tool: ToolDefinition, hash: string): RuleReport {
    if (reports.listings !== listings) reports = { listings, of: new WeakMap() };
    let report = reports.of.get(tool);
    if (!report) {
      report = scans.reportFor(tool, hash, { server, own: toolsOf(server) });
      reports.of.set(tool, report);
    }
    return report;
  }

  function remember(known: readonly ApprovalRow[]): void {
    const lists = new Map<string, ToolRow[]>();
    for (const record of known) {
      if (!config.server(record.server)) continue;
      const row = rememberedRow(record);
      if (!row) continue;
      const list = lists.get(record.server);
      if (list) list.push(row);
      else lists.set(record.server, [row]);
    }
    for (const [server, list] of lists) swap(server, list);
  }

  async function indexRemembered(): Promise<void> {
    if (rows.size > 0) await search.put([...rows.keys()]);
    ready = true;
  }

  /** Search works without; it only must not be what holds up the start. */
  async function prepare(): Promise<void> {
    await indexed;
    await setTimeout(SETTLED_MS, undefined, { ref: false });
    await loadSynonyms();
  }

  type Hide = (text: string) => string;

  async function take(
    server: string,
    entries: readonly unknown[],
    instructions?: string,
    hide?: Hide,
  ): Promise<ListingCounts> {
    retries.cancel(server);
    await search.open();
    const { found, unchanged } = await readAll(server, entries, hide);
    const wanted = config.server(server);
    if (!wanted) return NOTHING;
    if (records.hasOpenBaseline(server)) baselines.add(server);
    introductions.set(server, instructions);
    const quarantined = config.quarantined(wanted);
    const quarantineEnabled = config.current().quarantine_enabled;
    const trust = approvalTrustOf(wanted, {
      quarantineEnabled,
      quarantined,
      baseline: records.hasOpenBaseline(server),
      evidenceLost: store.evidence.state === "lost",
    });
    const own = new Set(found.map(({ definition }) => definition.name));
    const lister = { server, own };
    const said = trust.scan ? scans.reportForInstructions(instructions, lister) : undefined;
    const clean = ({ definition, hash }: PinnedTool) =>
      said?.verdict === "clean" && scans.reportFor(definition, hash, lister).verdict === "clean";
    const addedClean = (tool: PinnedTool) => scans.isAdditionClean(tool, lister);
    const decisions = decideApprovals(server, found, records.of(server), trust, clock.now(), clean, addedClean);
    const before = byServer.get(server) ?? [];
    hold(server, before, found, decisions);
    const unwritten = await records.write(server, decisions);
    // Decided while the records were being written: the server may be gone, its tools approved.
    if (!config.server(server)) return NOTHING;
    if (unwritten.size > 0) retries.plan(server, () => again(server, entries, instructions, hide));
    const recorded = records.of(server);
    const after = found.map((tool) => {
      const { name } = tool.definition;
      const old = unchanged.has(name) && rows.get(toolIdOf(server, name));
      const row = old ? rejudgedRow(old, recorded.get(name)) : listedRow(server, tool, recorded.get(name));
      return unwritten.has(name) ? { ...row, recorded: false } : row;
    });
    return settle(server, before, after);
  }

  /** What is no longer as it was approved is not called while that is still on its way to the disk. */
  function hold(
    server: string,
    before: readonly ToolRow[],
    found: readonly PinnedTool[],
    decisions: readonly ApprovalRow[],
  ): void {
    const waiting = new Map(decisions.filter((d) => d.status !== "approved").map((record) => [record.tool, record]));
    const held = new Map(
      found.flatMap((tool) => {
        const record = waiting.get(tool.definition.name);
        return record ? [[record.tool, listedRow(server, tool, record)]] : [];
      }),
    );
    if (before.some((row) => held.has(row.name)))
      swap(
        server,
        before.map((row) => held.get(row.name) ?? row),
      );
  }

  function again(server: string, entries: readonly unknown[], instructions?: string, hide?: Hide): void {
    const done = inTurn(server, () => take(server, entries, instructions, hide));
    log.catch(`recording the tools of "${server}" again`, done);
  }

  async function settle(server: string, before: readonly ToolRow[], after: readonly ToolRow[]): Promise<ListingCounts> {
    const difference = compareRows(before, after);
    if (!difference) return { ...NOTHING, total: after.length };
    const { searchable, ...discovery } = difference;
    swap(server, after);
    listings++;
    const { added, changed, removed, total } = discovery;
    const isLarge = searchable.length > LARGE;
    if (isLarge) large++;
    try {
      await reindex(server, removed, searchable);
    } finally {
      if (isLarge) large--;
    }
    const own = toolsOf(server);
    telling.logWaiting(
      server,
      before,
      after,
      (row) => scans.reportFor(row, row.hash, { server, own }).verdict !== "clean",
    );
    events.publish("tools.indexed", {
      server,
      total,
      added: added.length,
      changed: changed.length,
      removed: removed.length,
    });
    return discovery;
  }

  async function reindex(server: string, removed: readonly string[], changed: readonly ToolRow[]): Promise<void> {
    await search.remove(removed.map((name) => toolIdOf(server, name)));
    await search.put(changed.map((row) => row.id));
  }

  function toolsOf(server: string): ReadonlySet<string> {
    const rows = byServer.get(server);
    if (!rows) return new Set();
    let known = ownNames.get(rows);
    if (!known) {
      known = new Set(rows.map((row) => row.name));
      ownNames.set(rows, known);
    }
    return known;
  }

  function swap(server: string, after: readonly ToolRow[]): void {
    const before = byServer.get(server) ?? [];
    for (const row of before) rows.delete(row.id);
    for (const row of after) rows.set(row.id, row);
    if (after.length > 0) byServer.set(server, after);
    else byServer.delete(server);
    scans.changed(server, before, after);
    revision++;
  }

  /** The tools of a listing, and the names of those that are listed exactly as before. */
  async function readAll(server: string, entries: readonly unknown[], hide?: Hide) {
    const found = new Map<string, PinnedTool>();
    const unchanged = new Set<string>();
    const faults: string[] = [];
    const take = (entry: unknown) => {
      const tool = readListedTool(entry, hide);
      if (typeof tool === "string") return void faults.push(tool);
      faults.push(...tool.leftOut);
      const { name } = tool.definition;
      if (found.has(name)) return void faults.push(`tool ${JSON.stringify(name)} is listed twice`);
      found.set(name, tool);
      if (isListedAs(rows.get(toolIdOf(server, name)), tool)) unchanged.add(name);
    };
    await inSlices(entries, 1, ([entry]) => take(entry));
    await scans.prepare(undecided(server, [...found.values()]));
    telling.logSkipped(server, faults);
    return { found: [...found.values()], unchanged };
  }

  /** Tools that somebody, or the scan, has to decide about: they are examined before that, a few at a time. */
  function undecided(server: string, found: readonly PinnedTool[]): PinnedTool[] {
    if (!config.current().quarantine_enabled || config.server(server)?.trust_mode === "auto") return [];
    const recorded = records.of(server);
    return found.filter(({ definition, hash }) => recorded.get(definition.name)?.approvedHash !== hash);
  }

  async function forget(server: string): Promise<void> {
    const gone = byServer.get(server) ?? [];
    swap(server, []);
    listings++;
    serverScans.forget(server);
    telling.forget(server);
    retries.cancel(server);
    await search.remove(gone.map((row) => row.id));
    if (gone.length > 0) events.publish("tools.changed", { server });
    records.forget(server);
    baselines.delete(server);
    introductions.delete(server);
    await items.drop(server);
  }

  return {
    items,
    get: (id) => rows.get(id),
    of: (server) => byServer.get(server) ?? [],
    *all() {
      for (const list of byServer.values()) yield* list;
    },
    servers: () => byServer.keys(),
    get size() {
      return rows.size;
    },
    get ready() {
      return ready && large === 0;
    },
    isFirst,
    indexed,
    get revision() {
      return revision;
    },
    acceptListing: (server, tools, instructions, hide) => inTurn(server, () => take(server, tools, instructions, hide)),
    prepareScan: scans.prepareTool,
    scan,
    scanInstructions: (server, instructions) =>
      scans.reportForInstructions(instructions, { server, own: toolsOf(server) }),
    scanServer: serverScans.read,
    cachedServerScan: serverScans.cached,
    skippedTools: telling.lastSkipped,
    drop: (server) => inTurn(server, () => forget(server)),
    reloadApprovals(server) {
      items.reload(server);
      const before = byServer.get(server) ?? [];
      const recorded = records.of(server);
      const after = before.map((row) => rejudgedRow(row, recorded.get(row.name)));
      if (!compareRows(before, after)) return;
      swap(server, after);
      events.publish("tools.changed", { server });
    },
    search: search.find,
    ranked: search.ranked,

    close() {
      retries.close();
      items.close();
    },
  };
}
