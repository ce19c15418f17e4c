import type { Row } from "../../sqlite/types.ts";
import type { ScanRow } from "../schema/scan.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { readableJsonColumn, toJsonColumn, withoutNulls } from "./json-column.ts";
import type { ScanStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Scans are few, large and seldom read, so they are read from the disk each time, except for the last reports. */
export function createScanStore(
  connection: DatabaseConnection,
  queue: Pick<WriteQueue, "put" | "flush" | "onRefused">,
): ScanStore {
  const rows = (sql: string, ...inputs: (string | number)[]): ScanRow[] => {
    queue.flush();
    return connection.read(() => connection.prepare(sql).all(...inputs)).flatMap((row) => fromRow(row) ?? []);
  };
  /** The last scan with a report, for each server that was requested. */
  const last = new Map<string, ScanRow | undefined>();
  queue.onRefused(() => last.clear());
  const store: ScanStore = {
    get: async (id) => rows("select * from scans where id = ?", id)[0],
    of: async (server) => rows("select * from scans where server = ? order by created_at desc, id desc", server),
    all: async () => rows("select * from scans order by created_at desc, id desc"),
    leftOver: async () =>
      (await store.all()).filter(({ job: { status } }) => status === "pending" || status === "running"),
    last(server) {
      if (!last.has(server)) last.set(server, rows(LAST, server)[0]);
      return last.get(server);
    },
    put({ id, server, createdAt, job, report }, keep) {
      last.delete(server);
      const [jobJson, reportJson] = [toJsonColumn(job), toJsonColumn(report)];
      return queue.put("now", () => {
        connection.prepare(PUT).run(id, server, createdAt, jobJson, reportJson);
        connection.prepare(PRUNE).run(server, server, keep);
      });
    },
    async change(id, edit) {
      // Reading and writing are in one turn of the event loop.
      const [row] = rows("select * from scans where id = ?", id);
      const changed = row && edit(row);
      if (changed) await store.put(changed, Number.MAX_SAFE_INTEGER);
    },
    removeServer(server) {
      last.delete(server);
      return queue.put("now", () => {
        connection.prepare("delete from scans where server = ?").run(server);
      });
    },
  };
  return store;
}

const PUT = "insert or replace into scans (id, server, created_at, job, report) values (?, ?, ?, ?, ?)";
const LAST = "select * from scans where server = ? and report is not null order by created_at desc, id desc limit 1";
const PRUNE =
  "delete from scans where server = ? and id not in (select id from scans where server = ? order by created_at desc, id desc limit ?)";

/** Converts a row; undefined if it is damaged. */
function fromRow(row: Row): ScanRow | undefined {
  const job = readableJsonColumn(row.job);
  const report = row.report === null ? undefined : readableJsonColumn(row.report);
  if (job === undefined || (row.report !== null && report === undefined)) return undefined;
  return withoutNulls({
    id: row.id,
    server: row.server,
    createdAt: row.created_at,
    job,
    report,
  }) as unknown as ScanRow;
}
