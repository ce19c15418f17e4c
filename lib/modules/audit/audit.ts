/** The content of one line. The writer adds the caller, the listener and the position in the chain. */
type AuditEvent =
  | "authz"
  | "tool_call"
  | "question"
  | "auth_event"
  | "config_change"
  | "audit_start"
  | "audit_lost"
  | "audit_anchor";

export interface AuditBody {
  readonly event: AuditEvent;
  readonly [member: string]: unknown;
}

/** The audit log (spec 001 §6): one JSON line per decision and call, each with the hash of the previous one. */
export interface Audit {
  /** Where lines are written. With `none`, callers need not build lines. */
  readonly sink: "none" | "stdout" | "file";
  readonly path?: string;
  /** Queues one line. Never throws, never waits; lines that cannot be written stay queued and are tried again. */
  write(body: AuditBody): void;
  status(): AuditStatus;
  /** The end of the log; undefined until the first line is written. */
  head(): Pick<Head, "from" | "seq" | "hash"> | undefined;
  close(): Promise<void>;
}

interface AuditStatus {
  /** Lines written since the start of the process. */
  readonly lines: number;
  /** Lines in the queue, not written yet. */
  readonly waiting: number;
  /** Lines dropped because the queue was full; the log has an `audit_lost` line in their place. */
  readonly lost: number;
  /** Why the last attempt to write failed; absent once lines can be written again. */
  readonly failing?: string;
}

/** The recorded end of the audit log: a copy that does not reach it was truncated. */
export interface Head {
  /** Path of the audit log, or `stdout`. */
  readonly at: string;
  /** Number of the oldest line that is retained. */
  readonly from: number;
  /** Number and hash of the newest line. */
  readonly seq: number;
  readonly hash: string;
}
