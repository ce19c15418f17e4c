import type { Row } from "../../sqlite/types.ts";
import { type ItemApprovalRow, type ItemKind, LISTED_KINDS, type ListedKind } from "../schema/item.ts";
import type { Approval, ApprovalRow, ToolDefinition } from "../schema/tool.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { readableJsonColumn, toJsonColumn, withoutNulls } from "./json-column.ts";
import { planChanges } from "./plan-changes.ts";
import type { ApprovalStore, ItemApprovalStore, ItemKey, RowChange } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A row of the table, for an item of any kind. */
interface StoredRow extends Approval<object> {
  server: string;
  kind: ItemKind;
  name: string;
}

/** The rows of one server by kind and name. */
type ByKind = Map<ItemKind, Map<string, StoredRow>>;

/** Approvals are few and read constantly, so they are also kept in memory. The table is written asynchronously. */
export function createApprovalStores(
  connection: DatabaseConnection,
  queue: WriteQueue,
): { approvals: ApprovalStore; itemApprovals: ItemApprovalStore } {
  let kept: Map<string, ByKind> | undefined;
  queue.onRefused(() => {
    kept = undefined;
  });

  const byServer = (): Map<string, ByKind> => {
    if (kept) return kept;
    queue.flush();
    kept = new Map();
    for (const row of connection.read(() => connection.prepare("select * from approvals").all()))
      keep(kept, fromRow(row));
    return kept;
  };
  const rowsOf = (server: string, kind: ItemKind) => [...(byServer().get(server)?.get(kind)?.values() ?? [])];
  const allOf = (kind: ItemKind) => [...byServer().keys()].flatMap((server) => rowsOf(server, kind));
  const get = (server: string, kind: ItemKind, name: string) => byServer().get(server)?.get(kind)?.get(name);
  /** Writes in the same turn of the event loop in which the changes were planned, so that no other write is between. */
  const write = async <Row>(server: string, changes: readonly PlannedRow<Row>[]): Promise<RowChange<Row>[]> => {
    if (changes.length === 0) return [];
    const jobs = changes.map(({ kind, name, stored }) =>
      stored ? ([PUT, toInputs(stored)] as const) : ([REMOVE, { server, kind, name }] as const),
    );
    const run = () => {
      for (const [sql, inputs] of jobs) connection.prepare(sql).run(inputs);
    };
    const durable = queue.put("now", run, jobs.length);
    // Memory is changed after the write is queued: if a failure makes it reload from the disk, the queue is run first.
    for (const { kind, name, stored } of kept ? changes : [])
      if (stored) keep(kept!, stored);
      else kept!.get(server)?.get(kind)?.delete(name);
    await durable;
    return changes.map(({ before, after }) => ({ before, after }));
  };

  const approvals: ApprovalStore = {
    all: () => allOf("tool").map(toolRow),
    of: (server) => rowsOf(server, "tool").map(toolRow),
    get(server, tool) {
      const row = get(server, "tool", tool);
      return row && toolRow(row);
    },
    count: (server) => [...(byServer().get(server)?.values() ?? [])].reduce((sum, rows) => sum + rows.size, 0),
    async changeAll(server, tools, edit) {
      const changes = planChanges(tools, (tool) => approvals.get(server, tool), edit);
      const stored = ({ tool, ...row }: ApprovalRow): StoredRow => ({ ...row, kind: "tool", name: tool });
      return await write(
        server,
        changes.map((change) => ({
          ...change,
          kind: "tool",
          name: change.key,
          stored: change.after && stored(change.after),
        })),
      );
    },
    removeServer(server) {
      const durable = queue.put("now", () => {
        connection.prepare("delete from approvals where server = ?").run(server);
      });
      kept?.delete(server);
      return durable;
    },
    // No other process uses the database.
    onForeignChange: () => () => {},
  };
  const itemApprovals: ItemApprovalStore = {
    all: () => LISTED_KINDS.flatMap(allOf).map(itemRow),
    of: (server, kind) => (kind ? [kind] : LISTED_KINDS).flatMap((one) => rowsOf(server, one)).map(itemRow),
    get(server, kind, name) {
      const row = get(server, kind, name);
      return row && itemRow(row);
    },
    async changeAll(server, items, edit) {
      const changes = planChanges(items, ({ kind, name }) => itemApprovals.get(server, kind, name), edit);
      return await write(
        server,
        changes.map((change) => ({ ...change, ...itemKey(change.key), stored: change.after && { ...change.after } })),
      );
    },
  };
  return { approvals, itemApprovals };
}

/** A change of one row of the table. */
interface PlannedRow<Row> extends RowChange<Row> {
  readonly kind: ItemKind;
  readonly name: string;
  /** The new row; undefined if it is deleted. */
  readonly stored: StoredRow | undefined;
}

const itemKey = ({ kind, name }: ItemKey): ItemKey => ({ kind, name });

const DAMAGED =
  "The database is damaged at this record, so the definition cannot be read until the server lists it again.";

const COLUMNS = [
  "server",
  "kind",
  "name",
  "status",
  "disabled",
  "approved_hash",
  "approved",
  "current_hash",
  "current",
  "approved_at",
  "approved_by",
  "updated_at",
];
const PUT = `insert or replace into approvals (${COLUMNS.join(", ")}) values (${COLUMNS.map((c) => `:${c}`).join(", ")})`;

const REMOVE = "delete from approvals where server = :server and kind = :kind and name = :name";

function toInputs(row: StoredRow) {
  const current = toJsonColumn(row.current);
  return {
    server: row.server,
    kind: row.kind,
    name: row.name,
    status: row.status,
    disabled: row.disabled,
    approved_hash: row.approvedHash ?? null,
    approved: row.approved === row.current ? current : toJsonColumn(row.approved),
    current_hash: row.currentHash,
    current,
    approved_at: row.approvedAt ?? null,
    approved_by: row.approvedBy ?? null,
    updated_at: row.updatedAt,
  };
}

/**
 * Converts a row. If the current definition is damaged, it counts as not listed: the item waits until its server lists
 * it again, and is then approved only if its pin is the approved one. A block that cannot be read counts as blocked.
 */
function fromRow(row: Row): StoredRow {
  const current = readableJsonColumn<object>(row.current);
  const approved = row.approved === row.current ? current : row.approved && readableJsonColumn<object>(row.approved);
  return withoutNulls({
    server: row.server,
    kind: row.kind,
    name: row.name,
    status: current ? row.status : "pending",
    disabled: row.disabled !== 0,
    approvedHash: row.approved_hash,
    approved,
    currentHash: current ? row.current_hash : "",
    current: current ?? damaged(row),
    approvedAt: row.approved_at,
    approvedBy: row.approved_by,
    updatedAt: row.updated_at,
  }) as unknown as StoredRow;
}

function damaged({ kind, name }: Row): object {
  const schema = kind === "tool" && { inputSchema: { type: "object" } };
  return { name, description: DAMAGED, ...schema };
}

function keep(servers: Map<string, ByKind>, row: StoredRow) {
  const kinds: ByKind = servers.get(row.server) ?? new Map();
  const rows = kinds.get(row.kind) ?? new Map<string, StoredRow>();
  servers.set(row.server, kinds.set(row.kind, rows.set(row.name, row)));
}

/** Makes a copy, because the receiver may change it. */
function toolRow({ kind: _, name, ...row }: StoredRow): ApprovalRow {
  // A row of this kind contains the definitions of a tool.
  return { ...(row as Omit<StoredRow, "kind" | "name"> & Approval<ToolDefinition>), tool: name };
}

function itemRow(row: StoredRow): ItemApprovalRow {
  // Only rows of the listed kinds get here.
  return { ...(row as StoredRow & ItemApprovalRow & { kind: ListedKind }) };
}
