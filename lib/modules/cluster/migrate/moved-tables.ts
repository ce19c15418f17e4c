import { ACTIVITY_COLUMNS } from "../store/shared-activity-row.ts";
import { approvalTable } from "../store/shared-approvals.ts";
import { knownServerTable } from "../store/shared-known-servers.ts";
import { metaTable } from "../store/shared-meta.ts";
import { lastReportTable } from "../store/shared-scans.ts";
import { SESSION_COLUMNS } from "../store/shared-sessions.ts";
import { signInTable } from "../store/shared-sign-ins.ts";
import { tokenTable, tokenUseTable } from "../store/shared-tokens.ts";
import { userSessionTable } from "../store/shared-user-sessions.ts";
import { userTable } from "../store/shared-users.ts";

export type Value = string | number | boolean | null;
type ColumnType = "text" | "bigint" | "double precision" | "boolean";

/** A table that exists in both databases, with the same names of columns. */
export interface MovedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Columns that order the rows and name each one. */
  readonly key: readonly string[];
  /** What follows `from` when the embedded database is read. */
  readonly embedded: string;
  /** Statements that insert a row into the embedded database; absent: into the table of `embedded`. */
  readonly insert?: readonly string[];
  readonly shared: {
    readonly table: string;
    /** The topic of a table whose rows have revisions. */
    readonly topic?: string;
    /** Further columns, from the row. */
    further?(row: Readonly<Record<string, Value>>): Readonly<Record<string, string | boolean>>;
  };
  /** It can be computed from another table, so it is not copied back. */
  readonly isDerived?: true;
}

/** Its rows were made by a program that does not run any more. */
const PROGRAM = "migrated";
const DOCUMENTS = "(key like 'credentials/%' or key like 'integrity.%' or key in ('oauth clients', 'passkeys'))";
/** Facts about one data directory or one run. */
const OWN_META =
  "key in ('database.id', 'known_servers.inherited', 'disk_tried_at', 'state_keys') or key like 'sign-in/%'";

const revisioned = ({ table, topic }: { table: string; topic: string }) => ({ table, topic });
const NEWEST_REPORTS = `(select *, row_number() over (partition by server order by created_at desc, id desc) as n
  from scans where report is not null)`;

/** Every table that is moved, in their order. What is not listed is computed anew or is of no use elsewhere. */
export const MOVED_TABLES: readonly MovedTable[] = [
  ...(
    [
      ["approvals", approvalTable],
      ["known_servers", knownServerTable],
      ["tokens", tokenTable],
      ["users", userTable],
      ["user_sessions", userSessionTable],
      ["sign_ins", signInTable],
    ] as const
  ).map(
    ([name, table]): MovedTable => ({
      name,
      columns: table.columns,
      key: table.key,
      embedded: name,
      shared: revisioned(table),
    }),
  ),
  {
    name: "token_uses",
    columns: tokenUseTable.columns,
    key: tokenUseTable.key,
    embedded: "(select name, last_used_at as at from tokens where last_used_at is not null)",
    insert: ["update tokens set last_used_at = :at where name = :name"],
    shared: revisioned(tokenUseTable),
  },
  {
    name: "meta",
    columns: metaTable.columns,
    key: metaTable.key,
    embedded: `(select * from meta where not (${DOCUMENTS} or ${OWN_META}))`,
    insert: ["insert or replace into meta (key, value) values (:key, :value)"],
    shared: revisioned(metaTable),
  },
  {
    name: "documents",
    columns: { key: "text", value: "text" },
    key: ["key"],
    embedded: `(select * from meta where ${DOCUMENTS})`,
    insert: ["insert or replace into meta (key, value) values (:key, :value)"],
    shared: { table: "document", topic: "documents" },
  },
  {
    name: "scans",
    columns: { id: "text", server: "text", created_at: "bigint", job: "text", report: "text" },
    key: ["id"],
    embedded: "scans",
    shared: {
      table: "scan",
      further: ({ job }) => ({ ended: !/"status":"(pending|running)"/.test(String(job)), program: PROGRAM }),
    },
  },
  {
    name: "last_reports",
    columns: lastReportTable.columns,
    key: lastReportTable.key,
    embedded: `(select * from ${NEWEST_REPORTS} where n = 1)`,
    shared: revisioned(lastReportTable),
    isDerived: true,
  },
  {
    name: "sessions",
    columns: SESSION_COLUMNS,
    key: ["id"],
    embedded: "sessions",
    shared: { table: "session", further: () => ({ program: PROGRAM }) },
  },
  {
    name: "usage",
    columns: { tool: "text", day: "bigint", calls: "bigint", last_used: "bigint" },
    key: ["tool", "day"],
    embedded: "usage",
    shared: { table: "usage" },
  },
  {
    name: "activity",
    columns: ACTIVITY_COLUMNS,
    key: ["at", "id"],
    embedded: "activity left join activity_payload using (seq)",
    insert: [
      `insert into activity (id, at, type, status, source, server_name, tool_name, session_id, request_id, parent_id,
          actor, duration_ms, request_bytes, response_bytes, max_severity, user_id, auth_type, intent_type,
          detection_types)
        values (:id, :at, :type, :status, :source, :server_name, :tool_name, :session_id, :request_id, :parent_id,
          :actor, :duration_ms, :request_bytes, :response_bytes, :max_severity, :user_id, :auth_type, :intent_type,
          :detection_types)`,
      `insert into activity_payload (seq, error_message, arguments, response, response_truncated, metadata)
        select seq, :error_message, :arguments, :response, :response_truncated, :metadata from activity
        where id = :id and coalesce(:error_message, :arguments, :response, :metadata) is not null`,
    ],
    shared: { table: "activity" },
  },
];
