import type { Row } from "../../sqlite/types.ts";
import type { ApprovalRow, ToolDefinition } from "../schema/tool.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { readableJsonColumn, toJsonColumn, withoutNulls } from "./json-column.ts";
import type { ApprovalStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

type ByTool = Map<string, ApprovalRow>;

/** Approvals are few and asked for at every turn, so they are kept in memory as well; the table is written behind. */
export function createApprovalStore(connection: DatabaseConnection, queue: WriteQueue): ApprovalStore {
  let kept: Map<string, ByTool> | undefined;
  queue.onRefused(() => {
    kept = undefined;
  });

  const byServer = (): Map<string, ByTool> => {
    if (kept) return kept;
    queue.flush();
    kept = new Map();
    for (const row of connection.read(() => connection.prepare("select * from approvals").all()))
      keep(kept, fromRow(row));
    return kept;
  };

  return {
    all: () => [...byServer().values()].flatMap((tools) => [...tools.values()].map(copy)),
    of: (server) => [...(byServer().get(server)?.values() ?? [])].map(copy),
    get(server, tool) {
      const row = byServer().get(server)?.get(tool);
      return row && copy(row);
    },
    count: (server) => byServer().get(server)?.size ?? 0,
    put(rows) {
      const copies = rows.map(copy);
      const inputs = copies.map(toInputs);
      const write = () => {
        for (const input of inputs) connection.prepare(PUT).run(input);
      };
      const durable = queue.put("now", write, inputs.length);
      // After it is queued: where memory is read anew, the queue's writes are in what is read.
      if (kept) for (const row of copies) keep(kept, row);
      return durable;
    },
    removeServer(server) {
      const durable = queue.put("now", () => {
        connection.prepare("delete from approvals where server = ?").run(server);
      });
      kept?.delete(server);
      return durable;
    },
  };
}

const DAMAGED =
  "The database is damaged at this record, so the definition cannot be read until the server lists it again.";

const COLUMNS = [
  "server",
  "tool",
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

function toInputs(row: ApprovalRow) {
  const current = toJsonColumn(row.current);
  return {
    server: row.server,
    tool: row.tool,
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
 * A definition that is damaged counts as one that is not listed: the tool waits until its server lists it again, and is
 * approved then only if its pin is the approved one. A block that cannot be read is taken for a block.
 */
function fromRow(row: Row): ApprovalRow {
  const current = readableJsonColumn<ToolDefinition>(row.current);
  const approved =
    row.approved === row.current ? current : row.approved && readableJsonColumn<ToolDefinition>(row.approved);
  return withoutNulls({
    server: row.server,
    tool: row.tool,
    status: current ? row.status : "pending",
    disabled: row.disabled !== 0,
    approvedHash: row.approved_hash,
    approved,
    currentHash: current ? row.current_hash : "",
    current: current ?? { name: row.tool, description: DAMAGED, inputSchema: { type: "object" } },
    approvedAt: row.approved_at,
    approvedBy: row.approved_by,
    updatedAt: row.updated_at,
  }) as unknown as ApprovalRow;
}

function keep(servers: Map<string, ByTool>, row: ApprovalRow) {
  const tools: ByTool = servers.get(row.server) ?? new Map();
  servers.set(row.server, tools.set(row.tool, row));
}

/** What is handed out may be changed by whoever got it. */
function copy(row: ApprovalRow): ApprovalRow {
  return { ...row };
}
