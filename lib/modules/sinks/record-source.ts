import type { RecordKind, SinkRecord } from "./sink-record.ts";

/** A record with its place among the records of its source. */
export interface SourcedRecord {
  readonly record: SinkRecord;
  /** A JSON value from which the source continues after this record. */
  readonly mark: unknown;
  /** The number of records directly before it that were removed before they could be read. */
  readonly missing: number;
}

/** Records in a fixed order, from which a sink continues after its last delivery. */
export interface RecordSource {
  readonly kind: RecordKind;
  /** Returns the mark of the newest record, from which a new sink starts. */
  newest(): Promise<unknown>;
  /** Reads the next records after a mark. */
  read(after: unknown, limit: number, signal: AbortSignal): Promise<readonly SourcedRecord[]>;
  /** Returns about how many records follow a mark. */
  waiting(after: unknown): Promise<number>;
  /** Calls `wake` when there may be new records. @returns a function that ends it */
  onRecords(wake: () => void): () => void;
}
