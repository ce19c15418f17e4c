import type { App } from "../../app.ts";
import type { ActivityFilter, ActivityRecord } from "../../schema/activity.ts";
import type { Caller } from "../../schema/caller.ts";
import { type Cell, csvLine } from "./csv.ts";
import { activityEntryFor, fullActivity, narrowActivityFilter } from "./list.ts";

interface ExportRequest {
  format: "json" | "csv";
  filter: ActivityFilter;
  /** Whether to include arguments and response, as far as the caller may read them; JSON only. */
  bodies: boolean;
  /** Maximum number of records; absent: all matching records. */
  limit?: number | undefined;
}

/** Columns of the CSV format: those of the public reference system, then those that this proxy adds. */
const COLUMNS = [
  "id",
  "type",
  "source",
  "server_name",
  "tool_name",
  "status",
  "error_message",
  "duration_ms",
  "timestamp",
  "session_id",
  "request_id",
  "response_truncated",
  "parent_id",
  "actor",
  "request_bytes",
  "response_bytes",
  "max_severity",
  "detection_types",
] as const;

/** Approximate size of one piece of output. (characters) */
const PIECE = 64 * 1024;

/**
 * Exports all matching records as text, newest first: as JSON Lines, or as CSV with a heading (spec 000 §4.6). The text
 * is produced in pieces while the caller reads it.
 *
 * If the database is damaged, the last line says how many records were omitted: `type` is `export_incomplete`,
 * `error_message` is a sentence, and in JSON Lines `skipped_records` is the number.
 */
export async function* exportActivity(
  app: App,
  { format, filter, bodies, limit = Number.POSITIVE_INFINITY }: ExportRequest,
  caller: Caller,
): AsyncGenerator<string> {
  const line = format === "csv" ? csv(app, caller) : json(app, caller, bodies);
  let piece = format === "csv" ? csvLine(COLUMNS) : "";
  let recordsLeft = limit;
  let skipped = 0;
  const onSkipped = (count: number) => {
    skipped += count;
  };
  for await (const record of app.store.activity.walk(narrowActivityFilter(filter, caller), onSkipped)) {
    piece += line(record);
    if (--recordsLeft === 0) break;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (skipped > 0) {
    const incomplete = `an export of activity omitted ${skipped} record(s) that cannot be read; see: proxy db check`;
    app.log.error(incomplete);
    const notice = { type: "export_incomplete", error_message: incomplete } as const;
    piece += format === "csv" ? csvCells(notice) : `${JSON.stringify({ ...notice, skipped_records: skipped })}\n`;
  }
  if (piece !== "") yield piece;
}

const csv = (app: App, caller: Caller) => (record: ActivityRecord) => {
  const entry = activityEntryFor(app, record, caller);
  const { detection_types: types } = entry;
  // The cell is empty, because a spreadsheet would include a zero in an average.
  const cells = { ...entry, duration_ms: record.duration_ms, detection_types: types?.join(" ") };
  return csvCells(cells);
};

const csvCells = (cells: Partial<Record<(typeof COLUMNS)[number], Cell>>) =>
  csvLine(COLUMNS.map((column) => cells[column]));

const json = (app: App, caller: Caller, bodies: boolean) => (record: ActivityRecord) =>
  `${JSON.stringify(bodies ? fullActivity(app, record, caller) : activityEntryFor(app, record, caller))}\n`;
