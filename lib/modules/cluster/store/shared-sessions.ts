import type { SessionRecord } from "../../../core/schema/session.ts";
import { withoutNulls } from "../../../core/store/json-column.ts";
import type { SessionStore } from "../../../core/store/store.ts";
import type { SqlValue } from "../connection.ts";
import { databaseText, textOfDatabase } from "../database-text.ts";
import { createGatheredWrites } from "../gathered-writes.ts";
import { programEnded } from "../programs.ts";
import type { SerialWork } from "../serial-work.ts";

/** Maximum number of closed sessions kept; those idle longest are deleted first. */
const KEPT_CLOSED = 1000;

/** @param program the program that writes; its sessions count as left over when it no longer lives */
export function createSharedSessions(serial: SerialWork, program: string): SessionStore {
  const puts = createGatheredWrites<SessionRecord>(serial, async (sql, sessions) => {
    await sql(PUT, [program, ...MEMBERS.map((member) => sessions.map((session) => toCell(session[member])))]);
  });
  return {
    put: (session) => puts.put(session.id, () => ({ ...session })),
    page({ status }, limit, offset, { by = "last_active_at", falling = true, after } = {}) {
      const wanted = status === undefined ? "true" : "status = $1";
      const values: SqlValue[] = status === undefined ? [] : [status];
      const [than, direction] = falling ? ["<", "desc"] : [">", "asc"];
      const place: SqlValue[] = after ? [after.value, databaseText(after.id)] : [];
      const [value, id, limitAt, offsetAt] = [1, 2, place.length + 1, place.length + 2].map(
        (n) => `$${values.length + n}`,
      );
      const beyond = after ? `and (${by}, id) ${than} (${value}, ${id})` : "";
      return puts.after(async (sql) => {
        const counted = await sql<{ n: number }>(`select count(*) as n from session where ${wanted}`, values);
        const rows = await sql(
          `select ${MEMBERS.join(", ")} from session where ${wanted} ${beyond}
            order by ${by} ${direction}, id ${direction} limit ${limitAt} offset ${offsetAt}`,
          [...values, ...place, limit, offset],
        );
        return { sessions: rows.map(fromRow), total: counted[0]!.n };
      });
    },
    get: (id) =>
      puts.after(async (sql) => {
        const [row] = await sql(`select ${MEMBERS.join(", ")} from session where id = $1`, [databaseText(id)]);
        return row && fromRow(row);
      }),
    closeAll: (at) =>
      puts.after(async (sql) => {
        await sql(CLOSE, [at, program]);
        await sql(FORGET, [KEPT_CLOSED]);
      }),
  };
}

/** The columns, which have the names of the record's members, and their types. */
export const SESSION_COLUMNS = {
  id: "text",
  status: "text",
  client_name: "text",
  client_version: "text",
  mode: "text",
  actor: "text",
  client_ip: "text",
  started_at: "bigint",
  last_active_at: "bigint",
  closed_at: "bigint",
  tool_calls: "bigint",
} as const satisfies Record<keyof SessionRecord, string>;
const MEMBERS = Object.keys(SESSION_COLUMNS) as (keyof SessionRecord)[];
const PUT = `insert into session (${MEMBERS.join(", ")}, program)
  select x.*, $1 from unnest(${MEMBERS.map((member, index) => `$${index + 2}::${SESSION_COLUMNS[member]}[]`).join(", ")}) as x
  on conflict (id) do update set ${[...MEMBERS, "program"].map((column) => `${column} = excluded.${column}`).join(", ")}`;
/** Sessions of other programs are left alone while those live. */
const CLOSE = `update session set status = 'closed', closed_at = $1
  where status <> 'closed' and ${programEnded("session.program", "$2")}`;
const FORGET = `delete from session where id in
  (select id from session where status = 'closed' order by last_active_at desc, id desc offset $1)`;

function toCell(value: string | number | undefined): string | number | null {
  return typeof value === "string" ? databaseText(value) : (value ?? null);
}

function fromRow(row: Record<string, unknown>): SessionRecord {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === "string" ? textOfDatabase(cell) : cell,
  ]);
  return withoutNulls(Object.fromEntries(cells)) as unknown as SessionRecord;
}
