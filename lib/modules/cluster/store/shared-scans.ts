import type { ScanRow } from "../../../core/schema/scan.ts";
import { toJsonColumn, withoutNulls } from "../../../core/store/json-column.ts";
import type { ScanStore } from "../../../core/store/store.ts";
import type { SqlValue } from "../connection.ts";
import { databaseText, textOfDatabase } from "../database-text.ts";
import { programEnded } from "../programs.ts";
import { recordTable } from "../record-table.ts";
import type { SerialWork } from "../serial-work.ts";
import type { OpenTable } from "./open-table.ts";

/** The last scan of each server that has a report, for reads that cannot wait. */
export const lastReportTable = recordTable<ScanRow>({
  topic: "last_reports",
  table: "last_report",
  key: ["server"],
  members: { server: "text", id: "text", createdAt: "bigint", job: "json", report: "json" },
});

/** @param program the program that writes; its scans count as left over when it no longer lives */
export function createSharedScans(
  serial: SerialWork,
  { view, writer }: OpenTable<ScanRow>,
  program: string,
): ScanStore {
  const read = (condition: string, ...values: SqlValue[]) =>
    serial(async (sql) => {
      const rows = await sql<StoredScan>(`${SELECT} ${condition} order by created_at desc, id desc`, values);
      return rows.map(fromRow);
    });
  const show = (row: ScanRow) =>
    writer.change([[row.server]], (last) => (last && isNewer(last, row) ? undefined : row));
  return {
    get: async (id) => (await read("where id = $1", databaseText(id)))[0],
    of: (server) => read("where server = $1", databaseText(server)),
    all: () => read(""),
    leftOver: () => read(`where ended is false and ${programEnded("scan.program", "$1")}`, program),
    last: (server) => view.get(server),
    async put(row, keep) {
      const values = cellsOf(row, program);
      const stored = serial(async (sql) => {
        await sql(PUT, values);
        await sql(PRUNE, [databaseText(row.server), keep]);
      });
      await Promise.all([stored, row.report && show(row)]);
    },
    async change(id, edit) {
      const changed = await serial(async (sql) => {
        const [stored] = await sql<StoredScan>(`${SELECT} where id = $1 for update`, [databaseText(id)]);
        const next = stored && edit(fromRow(stored));
        if (next) await sql(PUT, cellsOf(next, program));
        return next;
      });
      if (changed?.report) await show(changed);
    },
    async removeServer(server) {
      const removed = serial((sql) => sql("delete from scan where server = $1", [databaseText(server)]));
      await Promise.all([removed, writer.remove([[server]])]);
    },
  };
}

const SELECT = `select id, server, created_at as "createdAt", job, report from scan`;
const PUT = `insert into scan (id, server, created_at, job, report, ended, program) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (id) do update set server = excluded.server, created_at = excluded.created_at, job = excluded.job,
    report = excluded.report, ended = excluded.ended, program = excluded.program`;
const PRUNE = `delete from scan where id in
  (select id from scan where server = $1 order by created_at desc, id desc offset $2)`;

interface StoredScan extends Record<string, unknown> {
  readonly id: string;
  readonly server: string;
  readonly createdAt: number;
  readonly job: string;
  readonly report: string | null;
}

function cellsOf({ id, server, createdAt, job, report }: ScanRow, program: string): SqlValue[] {
  const isEnded = job.status !== "pending" && job.status !== "running";
  const names = [databaseText(id), databaseText(server), createdAt];
  return [...names, toJsonColumn(job), toJsonColumn(report), isEnded, program];
}

function fromRow({ id, server, createdAt, job, report }: StoredScan): ScanRow {
  return withoutNulls({
    id: textOfDatabase(id),
    server: textOfDatabase(server),
    createdAt,
    job: JSON.parse(job),
    report: report === null ? null : JSON.parse(report),
  }) as unknown as ScanRow;
}

function isNewer(a: ScanRow, b: ScanRow): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
}
