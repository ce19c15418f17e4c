import type { ActivityRecord } from "../../../core/schema/activity.ts";
import { toJsonColumn, withoutNulls } from "../../../core/store/json-column.ts";
import type { Sql } from "../connection.ts";
import { databaseText, textOfDatabase } from "../database-text.ts";

/** A record as values of the columns, in their order. Objects are text already, so a later change of them has no effect. */
export type ActivityCells = readonly (string | number | boolean | null)[];

/** The columns, which have the names of the record's members, and their types. */
export const ACTIVITY_COLUMNS = {
  id: "text",
  at: "bigint",
  type: "text",
  status: "text",
  source: "text",
  server_name: "text",
  tool_name: "text",
  session_id: "text",
  request_id: "text",
  parent_id: "text",
  actor: "text",
  duration_ms: "double precision",
  request_bytes: "bigint",
  response_bytes: "bigint",
  max_severity: "text",
  user_id: "text",
  auth_type: "text",
  intent_type: "text",
  detection_types: "text",
  error_message: "text",
  arguments: "text",
  response: "text",
  response_truncated: "boolean",
  metadata: "text",
} as const satisfies Record<keyof ActivityRecord, string>;
const NAMES = Object.keys(ACTIVITY_COLUMNS) as (keyof typeof ACTIVITY_COLUMNS)[];
const JSON_MEMBERS: ReadonlySet<string> = new Set(["arguments", "metadata", "detection_types"]);

export const READ_COLUMNS = NAMES.join(", ");
/** The condition is asked before the first record: the transaction has its number before a record gets one. */
const INSERT = `insert into activity (${READ_COLUMNS})
  select ${READ_COLUMNS} from unnest(${NAMES.map((name, index) => `$${index + 1}::${ACTIVITY_COLUMNS[name]}[]`).join(", ")})
    with ordinality as added (${READ_COLUMNS}, place) where pg_current_xact_id() is not null order by place
  on conflict do nothing`;

/** @throws TypeError if a member that is stored as JSON cannot be */
export function toActivityCells(record: ActivityRecord): ActivityCells {
  return NAMES.map((name) => {
    const value = record[name];
    if (JSON_MEMBERS.has(name)) return toJsonColumn(value);
    return (value as string | number | boolean | undefined) ?? null;
  });
}

/** Inserts records in their order. Those that exist are left alone, so it may be repeated. */
export async function insertActivity(sql: Sql, records: readonly ActivityCells[]): Promise<void> {
  const columns = NAMES.map((_, index) =>
    records.map((cells) => {
      const cell = cells[index]!;
      return typeof cell === "string" ? databaseText(cell) : cell;
    }),
  );
  await sql(INSERT, columns);
}

/** An estimate of the memory that a record takes. (bytes) */
export function activityBytes(cells: ActivityCells): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length * 2 : 8), 200);
}

export function fromActivityCells(row: Record<string, unknown>): ActivityRecord {
  const members = NAMES.map((name) => {
    const cell = row[name] ?? null;
    return [name, typeof cell === "string" ? textOfDatabase(cell) : cell] as const;
  });
  const record: Record<string, unknown> = withoutNulls(Object.fromEntries(members));
  // JSON null is an argument; only a null column means that there are none. So this comes after `withoutNulls`.
  for (const name of JSON_MEMBERS) if (name in record) record[name] = JSON.parse(record[name] as string);
  return record as unknown as ActivityRecord;
}
