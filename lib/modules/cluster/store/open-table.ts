import type { CommitLog } from "../commit-log.ts";
import type { Database } from "../database.ts";
import type { followRevisions } from "../follow-revisions.ts";
import type { SharedTable } from "../shared-table.ts";
import { createTableWriter, type TableWriter } from "../table-writer.ts";
import { createView, type View } from "../view.ts";

/** What the tables of a store share. */
export interface TableContext {
  readonly database: Database;
  readonly follower: Pick<ReturnType<typeof followRevisions>, "follow" | "staleMs" | "catchUp">;
  readonly commits: CommitLog;
}

export interface OpenTable<Row> {
  readonly table: SharedTable<Row>;
  readonly view: View<Row>;
  readonly writer: TableWriter<Row>;
}

/** Reads a shared table into memory and keeps it up to date. */
export async function openTable<Row>(
  { database, follower, commits }: TableContext,
  table: SharedTable<Row>,
): Promise<OpenTable<Row>> {
  const view = createView(database, table);
  await follower.follow(view);
  return { table, view, writer: createTableWriter(database, table, view, commits) };
}
