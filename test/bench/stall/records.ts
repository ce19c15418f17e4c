import { copyFile, mkdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { systemClock } from "#lib/core/base/clock.ts";
import { connectDatabase } from "#lib/core/store/database-connection.ts";
import { MIGRATIONS } from "#lib/core/store/migrations.ts";
import { openStore } from "#lib/core/store/open-store.ts";
import type { Store } from "#lib/core/store/store.ts";
import { hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { heardLog } from "#test/kit/log.ts";
import { activityRecord } from "#test/kit/store.ts";

const DAY_MS = 86_400_000;
/** Number of the migration steps before the one that adds the sums of the records. */
const STEPS_WITHOUT_SUMS = 11;
export const RECORDS = 1_000_000;

/** Puts a database with a million records into a data directory; made once a day, since that takes a minute. */
export async function layRecords(dir: string): Promise<void> {
  const made = resolve("dist/bench-records");
  const file = join(made, "proxy.db");
  const age = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  if (age > DAY_MS) {
    await rm(made, { recursive: true, force: true });
    await mkdir(made, { recursive: true });
    const store = await openStore({
      dir: made,
      clock: systemClock,
      log: heardLog("error"),
      sqlite: await loadSqlite(),
    });
    const now = Date.now();
    for (let i = 0; i < RECORDS; i += 5000) await fill(store, i, now);
    // A proxy in use has added up its records.
    await store.activity.addUp();
    await store.close();
  }
  await copyFile(file, join(dir, "proxy.db"));
}

/** Puts a database with the same records into a data directory, as a release without sums of them left it. */
export async function layOldRecords(dir: string): Promise<void> {
  await layRecords(dir);
  const database = connectDatabase({
    file: join(dir, "proxy.db"),
    sqlite: await loadSqlite(),
    files: hostFiles,
    steps: MIGRATIONS,
  });
  const [firstApprovals] = /create table approvals [^;]*/.exec(MIGRATIONS[0]!)!;
  database.read(() => {
    for (const table of ["activity_sums", "activity_groups", "activity_summed", "approvals"])
      database.prepare(`drop table ${table}`).run();
    database.prepare(firstApprovals).run();
    database.prepare(`PRAGMA user_version=${STEPS_WITHOUT_SUMS}`).run();
  });
  database.close();
}

/** 5,000 records of 50 servers and 500 tools, spread over 28 days in the order of time. */
async function fill(store: Store, from: number, now: number): Promise<void> {
  const added: Promise<void>[] = [];
  for (let i = from; i < from + 5000; i++)
    added.push(
      store.activity.add(
        activityRecord({
          at: Math.round(now - 28.5 * DAY_MS + (i / RECORDS) * 28 * DAY_MS),
          server_name: `s${i % 50}`,
          tool_name: `t${i % 500}`,
          status: i % 40 === 0 ? "error" : "success",
          duration_ms: i % 900,
          arguments: { query: `what number ${i} asked` },
          response: `{"content":[{"type":"text","text":"${"answer ".repeat(20)}"}]}`,
          request_bytes: 40,
          response_bytes: 180,
        }),
      ),
    );
  await Promise.all(added);
}
