import type { SinkRecord } from "./sink-record.ts";

/** Where a sink delivers its records to. */
export interface Destination {
  /**
   * Delivers records. Resolves when the receiver has accepted them, as far as its protocol can say so.
   *
   * @throws RejectedRecords if the receiver will never accept them; any other error is temporary
   */
  deliver(records: readonly SinkRecord[], signal: AbortSignal): Promise<void>;
  /** Ends connections. Called also after a failed delivery; the next one opens the destination again. */
  close(): Promise<void>;
}

/** The receiver rejects these records, although it may accept others. */
export class RejectedRecords extends Error {}

/** The receiver names the time after which it can be tried again. */
export class RetryLater extends Error {
  readonly afterMs: number;

  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}
