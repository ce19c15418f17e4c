/** What is written of a decision or a call; who asked and from where, and the place in the chain, are added to it. */
type AuditEvent = "authz" | "tool_call" | "auth_event" | "config_change" | "audit_start" | "audit_lost";

export interface AuditBody {
  readonly event: AuditEvent;
  readonly [member: string]: unknown;
}

/** The audit trail (spec 001 §6): one JSON line per decision and call, each chained to the one before. */
export interface Audit {
  /** Where lines go. With `none` nobody needs to make one. */
  readonly sink: "none" | "stdout" | "file";
  readonly path?: string;
  /** Takes one line. Never throws, never waits; what cannot be written is kept, counted, and tried again. */
  write(body: AuditBody): void;
  status(): AuditStatus;
  close(): Promise<void>;
}

interface AuditStatus {
  /** Since the start. */
  readonly lines: number;
  /** Taken, not written yet. */
  readonly waiting: number;
  /** Given up, since too many were waiting; the trail says so where they are missing. */
  readonly lost: number;
  /** Why the last attempt failed, while it does. */
  readonly failing?: string;
}

/** How far the trail goes: what a copy of it must reach, or its end was cut off. */
export interface Head {
  /** Path of the trail, or `stdout`. */
  readonly at: string;
  /** Number of the oldest line that is kept. */
  readonly from: number;
  /** Number and hash of the newest line. */
  readonly seq: number;
  readonly hash: string;
}
