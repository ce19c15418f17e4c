/** The types of activity records (spec 000 §2.8), with the additional types of the reference (1.7). */
export const ACTIVITY_TYPES = [
  "tool_call",
  "resource_read",
  "prompt_get",
  "completion",
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
/** How a caller authenticated: as administrator, by agent token, as signed-in user, or without a credential. */
export const AUTH_TYPES = ["admin", "agent", "user", "anonymous"] as const;
/** The operation type that a call declares (spec 001 §2.2). */
export const INTENT_TYPES = ["read", "write", "destructive"] as const;

export type ActivityStatus = "success" | "error" | "blocked" | "rejected";

/** One activity record. `undefined` members are not stored. */
export interface ActivityRecord {
  id: string;
  type: ActivityType;
  source: "mcp" | "api" | "cli" | "internal";
  server_name?: string;
  tool_name?: string;
  status: ActivityStatus;
  error_message?: string;
  duration_ms?: number;
  /** Milliseconds since the epoch; REST shows it as RFC 3339. */
  at: number;
  session_id?: string;
  request_id?: string;
  parent_id?: string;
  /** The caller's name. */
  actor?: string;
  /** How the caller authenticated; absent in records of earlier releases. */
  auth_type?: (typeof AUTH_TYPES)[number];
  /** The operation type that the call declared; set only for calls through a call variant. */
  intent_type?: (typeof INTENT_TYPES)[number];
  /** Id of the user on whose behalf the caller acts, in the multi-user edition. */
  user_id?: string;
  /** Size in bytes of the arguments and of the response as JSON text, whether or not the texts are stored. */
  request_bytes?: number;
  response_bytes?: number;
  arguments?: unknown;
  /** JSON text, cut at `activity_max_response_size`. */
  response?: string;
  response_truncated?: boolean;
  metadata?: Record<string, unknown>;
  /** Kinds of sensitive data found, each once; absent when none was found. */
  detection_types?: readonly string[];
  /** The highest severity among the detections. */
  max_severity?: string;
}

/** The position of a record in chronological order. */
export interface ActivityPlace {
  readonly at: number;
  readonly id: string;
}

/**
 * The position of a record in the order in which records were added, for readers that continue where they stopped. Only
 * the store that made it can interpret it.
 */
export interface ActivityMark {
  readonly seq: number;
  readonly id: string;
}

/** A record that was read in the order in which records were added. */
export interface FollowedActivity {
  readonly record: ActivityRecord;
  readonly mark: ActivityMark;
  /** The number of records directly before it that were removed before they could be read. */
  readonly missing: number;
}

/** One page of the records that match a filter. */
export interface ActivityPage {
  records: ActivityRecord[];
  total: number;
  /** Whether more records match than `total` says, because counting stops at a limit. */
  isCapped: boolean;
}

/** The number of records that share the same attributes and differ only in time and content. */
export interface ActivityTally {
  type: ActivityType;
  status: ActivityStatus;
  server_name?: string;
  tool_name?: string;
  /** The number of records per duration (ms, rounded to two significant digits), if requested. */
  durations?: ReadonlyMap<number, number>;
  count: number;
  /** Time of the latest record. */
  last_at: number;
  /** The number of records with a known size, and the sum of those sizes. */
  sized_requests: number;
  request_bytes: number;
  sized_responses: number;
  response_bytes: number;
}

/** Further attributes to group the counts by, besides type, status, server and tool. */
export interface TallyBy {
  durations?: boolean;
}

/** The number of records of one status within one time slot. */
export interface ActivitySlot {
  /** Index of the time slot, counted from the epoch. */
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
  /** The name that an MCP client sent; only its sessions that are still stored count. */
  client?: string;
  status?: string;
  request_id?: string;
  parent_id?: string;
  /** Name of the caller, such as that of an agent token. */
  actor?: string;
  auth_type?: string;
  intent_type?: string;
  /** Whether sensitive data was found. */
  sensitive?: boolean;
  /** Only records with this kind of sensitive data, and with this highest severity. */
  detection_type?: string;
  max_severity?: string;
  /** Strictly after and strictly before these times (ms). */
  after?: number;
  before?: number;
  /** If set, only records that name one of these servers, or no server. */
  servers?: ReadonlySet<string>;
  /** Only records of this user's actions. */
  user_id?: string;
  /**
   * With `servers`: if a record names no server, it is included only if it is of this actor, because the record of
   * another actor may be about any server.
   */
  own?: string;
}
