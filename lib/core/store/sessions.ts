import type { SqlInput } from "../../sqlite/types.ts";
import type { SessionRecord } from "../schema/session.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { gatherWrites } from "./gather-writes.ts";
import { withoutNulls } from "./json-column.ts";
import type { SessionSort, SessionStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Maximum number of closed sessions kept; those idle longest are deleted first. */
const KEPT_CLOSED = 1000;

export function createSessionStore(connection: DatabaseConnection, queue: WriteQueue): SessionStore {
  // Each call of a session updates its row; one write per commit is sufficient.
  const puts = gatherWrites<SessionRecord>(queue, (sessions) => {
    for (const session of sessions) connection.prepare(PUT).run(...toInputs(session));
  });
  const all = (sql: string, ...inputs: SqlInput[]) => {
    queue.flush();
    return connection.read(() => connection.prepare(sql).all(...inputs));
  };

  return {
    put: (session) => puts.put(session.id, () => ({ ...session })),
    async page({ status }, limit, offset, { by = "last_active_at", falling = true, after } = {}) {
      const [wanted, inputs] = status === undefined ? ["true", []] : ["status = ?", [status]];
      const total = all(`select count(*) as n from sessions where ${wanted}`, ...inputs)[0]!.n as number;
      const [than, direction] = falling ? ["<", "desc"] : [">", "asc"];
      const beyond = after ? `and (${SORTS[by]}, id) ${than} (?, ?)` : "";
      const rows = all(
        `select * from sessions where ${wanted} ${beyond} order by ${SORTS[by]} ${direction}, id ${direction} limit ? offset ?`,
        ...inputs,
        ...(after ? [after.value, after.id] : []),
        limit,
        offset,
      );
      return { sessions: rows.map(fromRow), total };
    },
    async get(id) {
      const [row] = all("select * from sessions where id = ?", id);
      return row && fromRow(row);
    },
    closeAll(at) {
      puts.cut();
      // Usually there is nothing to do, and a commit would delay the start.
      if (all(UNSETTLED, KEPT_CLOSED)[0]!.unsettled === 0) return Promise.resolve();
      return queue.put("now", () => {
        connection.prepare("update sessions set status = 'closed', closed_at = ? where status <> 'closed'").run(at);
        connection.prepare(FORGET).run(KEPT_CLOSED);
      });
    },
  };
}

/** The columns that sessions may be sorted by. */
const SORTS: Readonly<Record<SessionSort, string>> = {
  last_active_at: "last_active_at",
  started_at: "started_at",
  tool_calls: "tool_calls",
};

const COLUMNS = [
  "id",
  "status",
  "client_name",
  "client_version",
  "mode",
  "actor",
  "client_ip",
  "started_at",
  "last_active_at",
  "closed_at",
  "tool_calls",
] as const satisfies readonly (keyof SessionRecord)[];
const PUT = `insert or replace into sessions (${COLUMNS.join(", ")}) values (${COLUMNS.map(() => "?").join(", ")})`;
const UNSETTLED = `select exists (select 1 from sessions where status <> 'closed')
  or (select count(*) from sessions) > ? as unsettled`;
const FORGET = `delete from sessions where id in
  (select id from sessions where status = 'closed' order by last_active_at desc, id desc limit -1 offset ?)`;

function toInputs(session: SessionRecord): SqlInput[] {
  return COLUMNS.map((column) => session[column] ?? null);
}

/** The columns have the names and types of the record's members. */
function fromRow(row: Record<string, unknown>): SessionRecord {
  return withoutNulls(row) as unknown as SessionRecord;
}
