/** What records are about (spec 000 §2.8), with the further types of the reference (1.7). */
export const ACTIVITY_TYPES = [
  "tool_call",
  "policy_decision",
  "quarantine_change",
  "server_change",
  "preflight",
  "code_execution",
  "question",
  "config_change",
  "tool_quarantine_change",
  "security_scan",
  "system_start",
  "system_stop",
] as const;

export type ActivityType = (typeof ACTIVITY_TYPES)[number];
/** What a caller came in as: administrator, agent token, signed-in user, or without a credential. */
export const AUTH_TYPES = ["admin", "agent", "user", "anonymous"] as const;
/** What a call declares to do (spec 001 §2.2). */
export const INTENT_TYPES = ["read", "write", "destructive"] as const;

export type ActivityStatus = "success" | "error" | "blocked" | "rejected";

/** One record of what happened. `undefined` members are not stored. */
export interface ActivityRecord {
  id: string;
  type: ActivityType;
  source: "mcp" | "api" | "cli" | "internal";
  server_name?: string;
  tool_name?: string;
  status: ActivityStatus;
  error_message?: string;
  duration_ms?: number;
  /** Milliseconds since the epoch; RFC 3339 at the edge. */
  at: number;
  session_id?: string;
  request_id?: string;
  parent_id?: string;
  /** Who did it: the caller's name. */
  actor?: string;
  /** What the caller came in as; absent in records of earlier releases. */
  auth_type?: (typeof AUTH_TYPES)[number];
  /** What a call declared to do, where it came through a call variant. */
  intent_type?: (typeof INTENT_TYPES)[number];
  /** The person behind the caller, in the multi-user edition. */
  user_id?: string;
  /** Of the arguments and the answer as JSON text, kept or not (bytes). */
  request_bytes?: number;
  response_bytes?: number;
  arguments?: unknown;
  /** JSON text, cut at `activity_max_response_size`. */
  response?: string;
  response_truncated?: boolean;
  metadata?: Record<string, unknown>;
  /** Kinds of sensitive data that were found, each once; absent when nothing was. */
  detection_types?: readonly string[];
  /** Of the worst of them. */
  max_severity?: string;
}

/** A record's place in the order of time. */
export interface ActivityPlace {
  readonly at: number;
  readonly id: string;
}

/** Part of the records that a filter leaves. */
export interface ActivityPage {
  records: ActivityRecord[];
  total: number;
  /** There are more than `total`. */
  isCapped: boolean;
}

/** Records that are alike in everything but when exactly they were and what they carried. */
export interface ActivityTally {
  type: ActivityType;
  status: ActivityStatus;
  server_name?: string;
  tool_name?: string;
  /** How often each duration was met (ms, to two significant digits), where that was asked for. */
  durations?: ReadonlyMap<number, number>;
  count: number;
  /** The latest of them. */
  last_at: number;
  /** How many of them have a known size, and those sizes together. */
  sized_requests: number;
  request_bytes: number;
  sized_responses: number;
  response_bytes: number;
}

/** What is counted apart, beside type, status, server and tool. */
export interface TallyBy {
  durations?: boolean;
}

/** Records of one status within one piece of time. */
export interface ActivitySlot {
  /** Number of the piece of time, counted from the epoch. */
  slot: number;
  status: ActivityStatus;
  count: number;
  response_bytes: number;
}

export interface ActivityFilter {
  type?: readonly string[];
  server?: string;
  tool?: string;
  session_id?: string;
  status?: string;
  request_id?: string;
  parent_id?: string;
  /** Name of the caller, such as that of an agent token. */
  actor?: string;
  auth_type?: string;
  intent_type?: string;
  /** Whether sensitive data was found. */
  sensitive?: boolean;
  /** This kind of it, at this worst severity. */
  detection_type?: string;
  max_severity?: string;
  /** Strictly after, strictly before (ms). */
  after?: number;
  before?: number;
  /** When set, only records naming one of these servers, or none. */
  servers?: ReadonlySet<string>;
  /** Only what this person did. */
  user_id?: string;
  /** With `servers`: of the records that name no server, only this one's. They may tell of any server. */
  own?: string;
}
