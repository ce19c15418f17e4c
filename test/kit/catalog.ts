import { createCatalog, type OpenCatalog } from "#lib/core/catalog/create-catalog.ts";
import type { Config, ServerConfig } from "#lib/core/config/config-keys.ts";
import { createEventBus } from "#lib/core/events/event-bus.ts";
import type { EventOf } from "#lib/core/schema/event.ts";
import { type ItemApprovalRow, itemId } from "#lib/core/schema/item.ts";
import type { KnownServer } from "#lib/core/schema/known-server.ts";
import type { RawTool } from "#lib/core/schema/mcp.ts";
import type { ApprovalRow } from "#lib/core/schema/tool.ts";
import { planChanges } from "#lib/core/store/plan-changes.ts";
import type { ItemKey, Store } from "#lib/core/store/store.ts";
import { createScans } from "#lib/modules/scan/tool-scans.ts";
import { handClock } from "./clock.ts";
import { type HeardLog, heardLog } from "./log.ts";

export interface TestCatalog {
  readonly catalog: OpenCatalog;
  readonly store: MemoryStore;
  readonly events: EventOf[];
  readonly log: HeardLog;
  readonly clock: ReturnType<typeof handClock>;
  /** The configured servers; tests change them in place. */
  readonly servers: Map<string, ServerConfig>;
  readonly settings: { quarantine_enabled: boolean };
  /** Resolves when the first index is ready. */
  ready(): Promise<void>;
}

export interface MemoryStore extends Pick<Store, "approvals" | "itemApprovals" | "knownServers" | "evidence"> {
  readonly rows: Map<string, ApprovalRow>;
  /** Makes writes fail as on a full disk, without a change. */
  full: boolean;
  /** Delays every write until it resolves. */
  gate: Promise<void>;
}

/** A catalog with approvals in memory, whose writes can fail or wait. */
export function testCatalog(
  servers: Readonly<Record<string, Partial<ServerConfig>>>,
  store: MemoryStore = memoryStore(),
): TestCatalog {
  const clock = handClock();
  const log = heardLog("info");
  const events: EventOf[] = [];
  const bus = createEventBus(clock, (error) => {
    throw error;
  });
  bus.subscribe((event) => events.push(event));
  const configured = new Map(
    Object.entries(servers).map(([name, server]): [string, ServerConfig] => [name, { enabled: true, ...server, name }]),
  );
  // As at the start of the program.
  for (const { name, quarantined } of configured.values())
    if (!store.knownServers.get(name)) {
      const baseline = quarantined === false ? "open" : "closed";
      void store.knownServers.changeAll([name], () => ({ name, identity: "", baseline, noticedAt: 0 }));
    }
  const settings = { quarantine_enabled: true };
  const catalog = createCatalog({
    inspector: createScans({ get: () => undefined, add: () => {} }),
    store,
    events: bus,
    clock,
    log,
    config: {
      current: () => settings as Config,
      server: (name) => configured.get(name),
      quarantined: (server) =>
        server.quarantined ?? (settings.quarantine_enabled && (server.trust_mode ?? "manual") === "manual"),
    },
  });
  const ready = async () => {
    while (!catalog.ready) await new Promise<void>((next) => setImmediate(next));
  };
  return { catalog, store, events, log, clock, servers: configured, settings, ready };
}

export function memoryStore(records: readonly ApprovalRow[] = []): MemoryStore {
  const rows = new Map(records.map((row) => [`${row.server}:${row.tool}`, row]));
  const items = new Map<string, ItemApprovalRow>();
  const known = new Map<string, KnownServer>();
  const write = async (change: () => void) => {
    const { full } = store;
    if (!full) change();
    await store.gate;
    if (full) throw new Error("no space left on device");
  };
  const store: MemoryStore = {
    rows,
    full: false,
    gate: Promise.resolve(),
    approvals: {
      all: () => [...rows.values()],
      of: (server) => [...rows.values()].filter((row) => row.server === server),
      get: (server, tool) => rows.get(`${server}:${tool}`),
      onForeignChange: () => () => {},
      count: (server) => [...rows.values()].filter((row) => row.server === server).length,
      async changeAll(server, tools, edit) {
        const changes = planChanges(tools, (tool) => rows.get(`${server}:${tool}`), edit);
        await write(() => {
          for (const { key, after } of changes) setRow(rows, `${server}:${key}`, after);
        });
        return changes;
      },
      removeServer: (server) =>
        write(() => {
          for (const [id, row] of rows) if (row.server === server) rows.delete(id);
        }),
    },
    itemApprovals: {
      all: () => [...items.values()],
      of: (server, kind) => [...items.values()].filter((row) => row.server === server && (!kind || row.kind === kind)),
      get: (server, kind, name) => items.get(itemId(kind, server, name)),
      async changeAll(server, keys, edit) {
        const idOf = ({ kind, name }: ItemKey) => itemId(kind, server, name);
        const changes = planChanges(keys, (key) => items.get(idOf(key)), edit);
        await write(() => {
          for (const { key, after } of changes) setRow(items, idOf(key), after);
        });
        return changes;
      },
    },
    knownServers: {
      all: () => [...known.values()],
      get: (name) => known.get(name),
      async changeAll(names, edit) {
        const changes = planChanges(names, (name) => known.get(name), edit);
        await write(() => {
          for (const { key, after } of changes) setRow(known, key, after);
        });
        return changes;
      },
      durable: () => write(() => {}),
    },
    evidence: { state: "complete", marker: "" },
  };
  return store;
}

function setRow<Row>(rows: Map<string, Row>, key: string, row: Row | undefined) {
  if (row) rows.set(key, row);
  else rows.delete(key);
}

/** A tool as listed by an upstream server. */
export function listed(name: string, description = "", more: Partial<RawTool> = {}): RawTool {
  return { name, description, inputSchema: { type: "object", properties: {} }, ...more };
}
