import type { Row, SqlInput } from "../../sqlite/types.ts";
import type { ActivityRecord } from "../schema/activity.ts";
import { readableJsonColumn, toJsonColumn, withoutNulls } from "./json-column.ts";

export type QueryAll = (sql: string, ...inputs: SqlInput[]) => Row[];

/** The position of a record: records are ordered by time, and records of the same time by their number. */
export type RowPlace = readonly [at: SqlInput, seq: SqlInput];

/** Columns of the table `activity` that are named like the members of a record, in the order of `toActivityRows`. */
export const HEAD = [
  "id",
  "at",
  "type",
  "status",
  "server_name",
  "tool_name",
  "session_id",
  "request_id",
  "parent_id",
  "source",
  "actor",
  "duration_ms",
  "request_bytes",
  "response_bytes",
  "max_severity",
  "user_id",
  "auth_type",
  "intent_type",
] as const satisfies readonly (keyof ActivityRecord)[];
const PAYLOAD = [
  "error_message",
  "arguments",
  "response",
  "response_truncated",
  "metadata",
] as const satisfies readonly (keyof ActivityRecord)[];

/** This column is also part of the head; it contains JSON text. */
const DETECTIONS = "detection_types";

const marks = (columns: readonly string[]) => columns.map(() => "?").join(", ");

export const INSERT_HEAD = `insert or ignore into activity (${[...HEAD, DETECTIONS].join(", ")}) values (${marks([...HEAD, DETECTIONS])})`;
/** Run it directly after `INSERT_HEAD`. */
export const INSERT_PAYLOAD = `insert or replace into activity_payload (seq, ${PAYLOAD.join(", ")})
  values (last_insert_rowid(), ${marks(PAYLOAD)})`;
/** The columns of a complete record and its `seq`. */
export const RECORD_COLUMNS = ["activity.seq", ...HEAD, DETECTIONS, ...PAYLOAD].join(", ");

/** The same columns for a record whose payload cannot be read. */
export const HEAD_RECORD_COLUMNS = [
  "activity.seq",
  ...HEAD,
  DETECTIONS,
  ...PAYLOAD.map((column) => `${column === "metadata" ? `'{"damaged":true}'` : "null"} as ${column}`),
].join(", ");

/** A record as rows of the tables. Objects are converted to text at once, so a later change of them is not stored. */
export interface ActivityRows {
  readonly head: SqlInput[];
  readonly payload: SqlInput[] | undefined;
  /** Approximate size in UTF-16 units. */
  readonly size: number;
}

/** Converts a record into rows for writing. The members are named one by one, because lists of names take three times as long. */
export function toActivityRows(record: ActivityRecord): ActivityRows {
  const { error_message, response, response_truncated } = record;
  const args = toJsonColumn(record.arguments);
  const metadata = toJsonColumn(record.metadata);
  const hasPayload =
    error_message !== undefined ||
    args !== null ||
    response !== undefined ||
    response_truncated !== undefined ||
    metadata !== null;
  const size =
    200 + (error_message?.length ?? 0) + (args?.length ?? 0) + (response?.length ?? 0) + (metadata?.length ?? 0);
  return {
    head: [
      record.id,
      record.at,
      record.type,
      record.status,
      record.server_name ?? null,
      record.tool_name ?? null,
      record.session_id ?? null,
      record.request_id ?? null,
      record.parent_id ?? null,
      record.source,
      record.actor ?? null,
      record.duration_ms ?? null,
      record.request_bytes ?? null,
      record.response_bytes ?? null,
      record.max_severity ?? null,
      record.user_id ?? null,
      record.auth_type ?? null,
      record.intent_type ?? null,
      toJsonColumn(record.detection_types),
    ],
    payload: hasPayload
      ? [error_message ?? null, args, response ?? null, response_truncated ?? null, metadata]
      : undefined,
    size,
  };
}

/** Converts a row to a record. A column that is damaged is replaced, so that the rest of the record is readable. */
export function fromActivityRow(row: Row): ActivityRecord {
  const { seq: _, arguments: args, metadata, response_truncated: truncated, [DETECTIONS]: detections, ...rest } = row;
  const record = withoutNulls({
    ...rest,
    response_truncated: truncated === null ? null : truncated === 1,
    metadata: metadata === null ? null : (readableJsonColumn(metadata) ?? { damaged: true }),
    detection_types: detections === null ? null : (readableJsonColumn(detections) ?? []),
  }) as unknown as ActivityRecord;
  // JSON null is a valid argument; only a null column means that there are no arguments.
  if (args === null) return record;
  const read = readableJsonColumn(args);
  return { ...record, arguments: read === undefined ? { damaged: true } : read };
}
