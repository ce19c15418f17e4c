/** The kinds of records that a sink can receive. */
export type RecordKind = "activity" | "audit";

/** One record on its way to a sink. */
export interface SinkRecord {
  readonly kind: RecordKind;
  /** Identifies the record, so that a receiver can recognise one that is delivered twice. */
  readonly id: string;
  /** Time of the record (ms). */
  readonly at: number;
  /** The type of an activity record, or the event of an audit line. */
  readonly type: string;
  /** The status of an activity record, or the decision or outcome of an audit line. */
  readonly status: string;
  /** The record as JSON without line breaks. */
  readonly line: string;
}
