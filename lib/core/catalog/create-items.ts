import { canonicalJson } from "../base/canonical.ts";
import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import { plural } from "../base/plural.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import {
  ITEM_WORDS,
  type ItemApprovalRow,
  type ItemListingCounts,
  type ItemRow,
  itemId,
  LISTED_KINDS,
  type ListedKind,
} from "../schema/item.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { RuleReport } from "../schema/rule-finding.ts";
import { MAX_TOOL_DEPTH, type ToolDefinition } from "../schema/tool.ts";
import type { Store } from "../store/store.ts";
import { approvalTrustOf, decideApproval } from "./decide-approvals.ts";
import type { ListingServer, ToolInspector } from "./inspector.ts";
import type { ItemCatalog } from "./item-catalog.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import { createListingLog } from "./listing-log.ts";
import { itemLocation, type PinnedItem, readListedItem, toolFormOf } from "./read-item.ts";
import { createRetries } from "./retries.ts";
import { inSlices } from "./slices.ts";

interface ItemCatalogParts {
  store: Pick<Store, "itemApprovals" | "evidence">;
  config: Pick<LiveConfig, "current" | "server" | "quarantined">;
  events: Pick<EventBus, "publish">;
  clock: Pick<Clock, "now" | "after">;
  log: Logger;
  inspector: ToolInspector;
  /** The server and its tools, for the scan. */
  lister(server: string): ListingServer;
  /** Whether the first listing of a server in this run was trusted as its baseline. */
  hadBaseline(server: string): boolean;
  /** Whether the scan finds nothing in what the server says of itself. */
  isServerClean(server: string): boolean;
}

type OpenItemCatalog = ItemCatalog & {
  /** Reads the approval records of a server again, after a decision about them. */
  reload(server: string): void;
  /** The server is gone from the configuration: forgets its rows. Its records stay. */
  drop(server: string): Promise<void>;
  /** Nothing is tried again from here on. */
  close(): void;
};

/** Until records that could not be written are tried again. (ms) */
const RETRY_MS = 5000;
/** Most rows of one write. */
const TOGETHER = 500;

type Rows = Map<string, ItemRow>;

/** Opens the item catalog with what is remembered of the configured servers' items. */
export function createItemCatalog(parts: ItemCatalogParts): OpenItemCatalog {
  const { store, config, events, clock, log, inspector, lister } = parts;
  const byKind = new Map<ListedKind, Map<string, Rows>>(LISTED_KINDS.map((kind) => [kind, new Map()]));
  const logs = new Map(LISTED_KINDS.map((kind) => [kind, createListingLog<ItemRow>(log, kind)]));
  const serially = createKeyedQueue();
  const retries = createRetries(clock, RETRY_MS);
  /** Lists that were taken before in this run; the first of a server may be its baseline. */
  const listed = new Set<string>();
  const forms = new WeakMap<McpObject, ToolDefinition>();
  let revision = 0;

  for (const record of store.itemApprovals.all()) {
    if (!config.server(record.server)) continue;
    const rows = rowsOf(record.server, record.kind);
    const row = rowOf(record.server, record.kind, { ...record, hash: record.currentHash, definition: record.current });
    rows.set(record.name, { ...row, ...approvalOf(record.currentHash, record), present: false });
    byKind.get(record.kind)!.set(record.server, rows);
  }

  function rowsOf(server: string, kind: ListedKind): Rows {
    return byKind.get(kind)!.get(server) ?? new Map();
  }

  function replace(server: string, kind: ListedKind, after: Rows): void {
    if (after.size > 0) byKind.get(kind)!.set(server, after);
    else byKind.get(kind)!.delete(server);
    revision++;
    events.publish("items.changed", { server, kind });
  }

  function formOf(kind: ListedKind, definition: McpObject): ToolDefinition {
    let form = forms.get(definition);
    if (!form) {
      form = toolFormOf(kind, definition);
      forms.set(definition, form);
    }
    return form;
  }

  function scan(server: string, kind: ListedKind, definition: McpObject, hash: string): RuleReport {
    const report = inspector.reportFor(formOf(kind, definition), hash, lister(server));
    const findings = report.findings.map((finding) => ({ ...finding, location: itemLocation(finding.location) }));
    return { ...report, findings };
  }

  const isClean = (server: string, kind: ListedKind, { definition, hash }: PinnedItem) =>
    scan(server, kind, definition, hash).verdict === "clean";

  async function take(
    server: string,
    kind: ListedKind,
    entries: readonly unknown[],
    hide?: (text: string) => string,
  ): Promise<ItemListingCounts> {
    const key = `${kind} ${server}`;
    retries.cancel(key);
    const found = await readAll(server, kind, entries, hide);
    const wanted = config.server(server);
    if (!wanted) return { total: 0, added: [], changed: [], removed: [] };
    const quarantined = config.quarantined(wanted);
    const evidenceLost = store.evidence.state === "lost";
    const records = recordsOf(server, kind);
    const trust = approvalTrustOf(wanted, {
      quarantineEnabled: config.current().quarantine_enabled,
      quarantined,
      baseline: !listed.has(key) && records.size === 0 && parts.hadBaseline(server),
      evidenceLost,
    });
    const byScan =
      kind === "resource" &&
      !quarantined &&
      !evidenceLost &&
      !trust.everything &&
      wanted.resource_approval !== "manual";
    const settled = { ...trust, ...(byScan && { scan: true as const }) };
    const serverClean = byScan || !trust.scan || parts.isServerClean(server);
    const now = clock.now();
    const undecided = settled.scan
      ? [...found.values()].filter(({ name, hash }) => records.get(name)?.approvedHash !== hash)
      : [];
    for (const { definition, hash } of undecided) await inspector.prepareTool(formOf(kind, definition), hash);
    const decisions = [...found.values()].flatMap((pinned): ItemApprovalRow[] => {
      const old = records.get(pinned.name);
      const next = decideApproval({
        pinned,
        old,
        trust: settled,
        baseline: trust.baseline,
        approved: old?.approvedHash === pinned.hash,
        now,
        clean: () => serverClean && isClean(server, kind, pinned),
        ...(byScan && { scanRule: RESOURCE_RULE }),
      });
      return next ? [{ server, kind, name: pinned.name, ...next }] : [];
    });
    hold(server, kind, found, decisions);
    const gone =
      kind === "resource" ? [...records.values()].filter((row) => !found.has(row.name) && isPassing(row)) : [];
    const written = await write(server, kind, decisions, gone);
    listed.add(key);
    // Decided while the records were being written: the server may be gone.
    if (!config.server(server)) return { total: 0, added: [], changed: [], removed: [] };
    if (!written)
      retries.plan(key, () =>
        log.catch(`recording the items of "${server}" again`, accept(server, kind, entries, hide)),
      );
    const recorded = recordsOf(server, kind);
    const unwritten = new Set(written ? [] : decisions.map(({ name }) => name));
    const before = rowsOf(server, kind);
    const after: Rows = new Map();
    for (const [name, pinned] of found) {
      const row = { ...rowOf(server, kind, pinned), ...approvalOf(pinned.hash, recorded.get(name)) };
      const judged = unwritten.has(name) ? { ...row, recorded: false } : row;
      const old = before.get(name);
      after.set(name, old && isSame(old, judged) ? old : judged);
    }
    return settle(server, kind, before, after);
  }

  function accept(
    server: string,
    kind: ListedKind,
    entries: readonly unknown[],
    hide?: (text: string) => string,
  ): Promise<ItemListingCounts> {
    return serially(`${kind} ${server}`, () => take(server, kind, entries, hide));
  }

  async function readAll(
    server: string,
    kind: ListedKind,
    entries: readonly unknown[],
    hide?: (text: string) => string,
  ) {
    const found = new Map<string, PinnedItem>();
    const faults: string[] = [];
    await inSlices(entries, 1, ([entry]) => {
      const item = readListedItem(kind, entry, hide);
      if (typeof item === "string") return void faults.push(item);
      faults.push(...item.leftOut);
      if (found.has(item.name))
        return void faults.push(`${ITEM_WORDS[kind].noun} ${JSON.stringify(item.name)} is listed twice`);
      found.set(item.name, item);
    });
    logs.get(kind)!.logSkipped(server, faults);
    return found;
  }

  /** What is no longer as it was approved is not used while that is still on its way to the disk. */
  function hold(
    server: string,
    kind: ListedKind,
    found: ReadonlyMap<string, PinnedItem>,
    decisions: readonly ItemApprovalRow[],
  ): void {
    const before = rowsOf(server, kind);
    const waiting = decisions.filter(({ status, name }) => status !== "approved" && before.has(name));
    if (waiting.length === 0) return;
    const after: Rows = new Map(before);
    for (const record of waiting) {
      const pinned = found.get(record.name)!;
      after.set(record.name, { ...rowOf(server, kind, pinned), ...approvalOf(pinned.hash, record) });
    }
    replace(server, kind, after);
  }

  /** Whether the records are on the disk. */
  async function write(
    server: string,
    kind: ListedKind,
    decisions: readonly ItemApprovalRow[],
    gone: readonly ItemApprovalRow[],
  ): Promise<boolean> {
    try {
      const puts: Promise<void>[] = [];
      await inSlices(decisions, TOGETHER, (some) => {
        const durable = store.itemApprovals.put(some);
        // Awaited below; this only keeps Node from reporting an unhandled rejection before that.
        durable.catch(() => {});
        puts.push(durable);
      });
      if (gone.length > 0)
        puts.push(
          store.itemApprovals.remove(
            server,
            kind,
            gone.map(({ name }) => name),
          ),
        );
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
  }

  function settle(server: string, kind: ListedKind, before: Rows, after: Rows): ItemListingCounts {
    const counts = {
      total: after.size,
      added: [...after.keys()].filter((name) => !before.has(name)),
      changed: [...after].flatMap(([name, row]) => ((before.get(name)?.hash ?? row.hash) === row.hash ? [] : [name])),
      removed: [...before.keys()].filter((name) => !after.has(name)),
    };
    const order = [...before.values()];
    if (order.length === after.size && [...after.values()].every((row, at) => row === order[at])) return counts;
    replace(server, kind, after);
    const flagged = ({ definition, hash }: ItemRow) => scan(server, kind, definition, hash).verdict !== "clean";
    logs.get(kind)!.logWaiting(server, order, [...after.values()], flagged);
    return counts;
  }

  function recordsOf(server: string, kind: ListedKind): Map<string, ItemApprovalRow> {
    return new Map(store.itemApprovals.of(server, kind).map((record) => [record.name, record]));
  }

  function reload(server: string): void {
    for (const kind of LISTED_KINDS) {
      const before = rowsOf(server, kind);
      if (before.size === 0) continue;
      const recorded = recordsOf(server, kind);
      let moved = false;
      const after: Rows = new Map();
      for (const [name, row] of before) {
        const judged = { ...row, ...approvalOf(row.hash, recorded.get(name)) };
        const kept = isSame(row, judged) ? row : judged;
        moved ||= kept !== row;
        after.set(name, kept);
      }
      if (moved) replace(server, kind, after);
    }
  }

  async function drop(server: string): Promise<void> {
    for (const kind of LISTED_KINDS)
      await serially(`${kind} ${server}`, async () => {
        retries.cancel(`${kind} ${server}`);
        listed.delete(`${kind} ${server}`);
        logs.get(kind)!.forget(server);
        if (rowsOf(server, kind).size > 0) replace(server, kind, new Map());
      });
  }

  return {
    of: (server, kind) => [...rowsOf(server, kind).values()],
    get: (kind, server, name) => rowsOf(server, kind).get(name),
    *all(kind) {
      for (const rows of byKind.get(kind)!.values()) yield* rows.values();
    },
    servers: (kind) => byKind.get(kind)!.keys(),
    get revision() {
      return revision;
    },
    accept,
    scan,
    prepareScan: (kind, definition, hash) => inspector.prepareTool(formOf(kind, definition), hash),
    skipped: (server, kind) => logs.get(kind)!.lastSkipped(server),
    reload,
    drop,
    close: retries.close,
  };
}

/** The setting that lets the offline scan approve resources. */
const RESOURCE_RULE = "resource_approval: scan";

/** Who approves where no person does. */
const RULES: ReadonlySet<string> = new Set([
  RESOURCE_RULE,
  "trust_mode: scan",
  "trust_mode: auto",
  "quarantine_enabled: false",
  "baseline",
]);

/** No person decided about it: with the resource its record may go. */
function isPassing({ disabled, approvedBy }: ItemApprovalRow): boolean {
  return !disabled && (approvedBy === undefined || RULES.has(approvedBy));
}

const READ_ONLY = { readOnlyHint: true } as const;

function rowOf(
  server: string,
  kind: ListedKind,
  { name, definition, hash }: Pick<PinnedItem, "name" | "definition" | "hash">,
): Omit<ItemRow, "status" | "recorded" | "disabled"> {
  return {
    kind,
    id: itemId(kind, server, name),
    server,
    name,
    definition,
    hash,
    present: true,
    annotations: READ_ONLY,
  };
}

/** Only a record about this very definition counts. */
function approvalOf(hash: string, record?: ItemApprovalRow): Pick<ItemRow, "status" | "recorded" | "disabled"> {
  const disabled = record?.disabled ?? false;
  if (record?.currentHash === hash) return { status: record.status, recorded: true, disabled };
  return { status: record?.approvedHash === undefined ? "pending" : "changed", recorded: false, disabled };
}

/** Whether two rows say the same; a resource's size is no part of its pin. */
function isSame(a: ItemRow, b: ItemRow): boolean {
  return (
    a.hash === b.hash &&
    a.status === b.status &&
    a.recorded === b.recorded &&
    a.disabled === b.disabled &&
    a.present === b.present &&
    canonicalJson(a.definition, MAX_TOOL_DEPTH) === canonicalJson(b.definition, MAX_TOOL_DEPTH)
  );
}
