import { setTimeout } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import type { LiveConfig } from "../config/live.ts";
import type { Bus } from "../events/bus.ts";
import type { Logger } from "../log/log.ts";
import type { RawTool } from "../shape/mcp.ts";
import type { ApprovalRow, ToolRow } from "../shape/tool.ts";
import type { Store } from "../store/store.ts";
import { accept, trustOf } from "./accept.ts";
import type { Catalog, Discovery } from "./catalog.ts";
import { createIndex } from "./index.ts";
import { type FoundTool, read } from "./read.ts";
import { compareRows, idOf, isListedAs, listedRow, rejudgedRow, rememberedRow } from "./row.ts";
import { inSlices } from "./slices.ts";
import { loadSynonyms } from "./synonyms.ts";
import { createTurns } from "./turns.ts";
import { walk } from "./walk.ts";

export interface CatalogParts {
  store: Pick<Store, "approvals" | "meta">;
  config: Pick<LiveConfig, "current" | "server" | "quarantined">;
  events: Pick<Bus, "publish">;
  clock: Pick<Clock, "now">;
  log: Logger;
}

/** Names in one log line. */
const NAMED = 5;

/** By then the program answers, and nobody has searched yet. (ms) */
const SETTLED_MS = 400;

const NOTHING: Discovery = { total: 0, added: [], changed: [], removed: [] };

/** Opens the catalog with what is remembered of the configured servers' tools; `ready` once that can be searched. */
export function createCatalog({ store, config, events, clock, log }: CatalogParts): Catalog {
  const index = createIndex();
  const rows = new Map<string, ToolRow>();
  const byServer = new Map<string, readonly ToolRow[]>();
  /** One listing or removal of a server at a time, in the order they came. */
  const inTurn = createTurns();
  /** What was last said about the entries of a server that are left out; it is not said at every listing. */
  const leftOut = new Map<string, string>();
  let revision = 0;
  let ready = false;

  remember(store.approvals.all());
  log.catch("indexing remembered tools", indexRemembered());

  function remember(records: readonly ApprovalRow[]): void {
    const known = new Map<string, ToolRow[]>();
    for (const record of records) {
      if (!config.server(record.server)) continue;
      const list = known.get(record.server);
      if (list) list.push(rememberedRow(record));
      else known.set(record.server, [rememberedRow(record)]);
    }
    for (const [server, list] of known) swap(server, list);
  }

  async function indexRemembered(): Promise<void> {
    await inSlices([...rows.keys()], (id) => {
      // Meanwhile it may have been listed, and be another, or gone.
      const row = rows.get(id);
      if (row) index.put(row);
    });
    ready = true;
    // Search works without; it only must not be what holds up the start.
    await setTimeout(SETTLED_MS, undefined, { ref: false });
    await loadSynonyms();
  }

  async function take(server: string, tools: readonly RawTool[]): Promise<Discovery> {
    const { found, unchanged } = await readAll(server, tools);
    const wanted = config.server(server);
    if (!wanted) return NOTHING;
    const quarantined = config.quarantined(wanted);
    const quarantineEnabled = config.current().quarantine_enabled;
    const seen = store.meta.get(seenKey(server)) === true;
    const trust = trustOf(wanted, { quarantineEnabled, quarantined, seen });
    const writes = accept(server, found, recordsOf(server), trust, clock.now());
    const unwritten = await write(server, writes, quarantined && !seen);
    // Decided while the records were being written: the server may be gone, its tools approved.
    if (!config.server(server)) return NOTHING;
    const records = recordsOf(server);
    const after = found.map((tool) => {
      const { name } = tool.definition;
      const old = unchanged.has(name) && rows.get(idOf(server, name));
      const row = old ? rejudgedRow(old, records.get(name)) : listedRow(server, tool, records.get(name));
      return unwritten.has(name) ? { ...row, recorded: false } : row;
    });
    return settle(server, after);
  }

  /** Writes approval records; answers the names of those that could not be. */
  async function write(server: string, writes: readonly ApprovalRow[], markSeen: boolean): Promise<Set<string>> {
    const marked = markSeen ? store.meta.set(seenKey(server), true) : undefined;
    if (marked) log.catch(`noting that tools of "${server}" were seen in quarantine`, marked);
    if (writes.length === 0) return new Set();
    try {
      await store.approvals.put(writes);
      return new Set();
    } catch (error) {
      log.error(
        `approval records of ${writes.length} tool(s) of server "${server}" could not be written; they cannot be called until they are, which the next discovery tries`,
        { reason: reasonOf(error) },
      );
      return new Set(writes.map((row) => row.tool));
    }
  }

  async function settle(server: string, after: readonly ToolRow[]): Promise<Discovery> {
    const before = byServer.get(server) ?? [];
    const difference = compareRows(before, after);
    if (!difference) return { ...NOTHING, total: after.length };
    const { searchable, ...discovery } = difference;
    swap(server, after);
    for (const name of discovery.removed) index.remove(idOf(server, name));
    await inSlices(searchable, (row) => index.put(row));
    const { added, changed, removed, total } = discovery;
    tellWaiting(server, before, after);
    events.publish("tools.indexed", {
      server,
      total,
      added: added.length,
      changed: changed.length,
      removed: removed.length,
    });
    return discovery;
  }

  function swap(server: string, after: readonly ToolRow[]): void {
    for (const row of byServer.get(server) ?? []) rows.delete(row.id);
    for (const row of after) rows.set(row.id, row);
    if (after.length > 0) byServer.set(server, after);
    else byServer.delete(server);
    revision++;
  }

  /** The tools of a listing, and the names of those that are listed exactly as before. */
  async function readAll(server: string, tools: readonly RawTool[]) {
    const found = new Map<string, FoundTool>();
    const unchanged = new Set<string>();
    const faults: string[] = [];
    await inSlices(tools, (entry) => {
      const tool = read(entry);
      if (typeof tool === "string") return void faults.push(tool);
      const { name } = tool.definition;
      if (found.has(name)) return void faults.push(`tool ${JSON.stringify(name)} is listed twice`);
      found.set(name, tool);
      if (isListedAs(rows.get(idOf(server, name)), tool)) unchanged.add(name);
    });
    tellLeftOut(server, faults);
    return { found: [...found.values()], unchanged };
  }

  function tellLeftOut(server: string, faults: readonly string[]): void {
    const text = some(faults);
    if (text !== "" && leftOut.get(server) !== text)
      log.warn(`server "${server}" lists tools that are left out: ${text}`);
    leftOut.set(server, text);
  }

  function tellWaiting(server: string, before: readonly ToolRow[], after: readonly ToolRow[]): void {
    const known = new Set(before.filter((row) => row.status !== "approved").map((row) => row.hash));
    const fresh = after.filter((row) => row.status !== "approved" && !known.has(row.hash));
    if (fresh.length === 0) return;
    const names = some(fresh.map((row) => JSON.stringify(row.name)));
    log.warn(`${fresh.length} new or changed tool(s) of server "${server}" wait for approval: ${names}`);
  }

  async function forget(server: string): Promise<void> {
    const gone = byServer.get(server) ?? [];
    swap(server, []);
    leftOut.delete(server);
    await inSlices(gone, (row) => index.remove(row.id));
    if (gone.length > 0) events.publish("tools.changed", { server });
    await Promise.all([store.approvals.removeServer(server), store.meta.set(seenKey(server), false)]);
  }

  function recordsOf(server: string): Map<string, ApprovalRow> {
    return new Map(store.approvals.of(server).map((record) => [record.tool, record]));
  }

  return {
    get: (id) => rows.get(id),
    of: (server) => byServer.get(server) ?? [],
    *all() {
      for (const list of byServer.values()) yield* list;
    },
    get size() {
      return rows.size;
    },
    get ready() {
      return ready;
    },
    get revision() {
      return revision;
    },
    accept: (server, tools) => inTurn(server, () => take(server, tools)),
    drop: (server) => inTurn(server, () => forget(server)),
    reread(server) {
      const before = byServer.get(server) ?? [];
      const records = recordsOf(server);
      const after = before.map((row) => rejudgedRow(row, records.get(row.name)));
      if (!compareRows(before, after)) return;
      swap(server, after);
      events.publish("tools.changed", { server });
    },
    search: (query, limit, allowed, withheld) => walk(index.search(query), rows, limit, allowed, withheld),
  };
}

/** Set once a server's tools were listed in quarantine: who releases it later has seen which tools it had. */
function seenKey(server: string): string {
  return `catalog.seen_in_quarantine:${server}`;
}

function some(items: readonly string[]): string {
  return items.slice(0, NAMED).join(", ") + (items.length > NAMED ? `, and ${items.length - NAMED} more` : "");
}
