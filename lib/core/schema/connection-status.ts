/** Connection states of one upstream (spec 001 §3). */
export type ConnectionState = "Disconnected" | "Connecting" | "Authenticating" | "Ready" | "Error";

/** Spec 000 §2.4, with the reference's further actions. */
export type HealthAction = "" | "login" | "restart" | "enable" | "approve" | "view_logs" | "set_secret" | "configure";

/** Why a server is not connected, as a fixed class, because the text of an error may quote the server. */
export type ErrorClass =
  | "connection_failed"
  | "handshake_failed"
  | "listing_failed"
  | "missing_secret"
  | "process_exited"
  | "sign_in_failed"
  | "sign_in_required"
  | "timed_out";

/** What a person has to deal with when a connection fails; `gateway/health.ts` has a summary and a remedy for each. */
export type FailureCause =
  | "authentication_failed"
  | "certificate"
  | "command_not_executable"
  | "command_not_found"
  | "connection_closed"
  | "connection_refused"
  | "connection_reset"
  | "connection_timeout"
  | "forbidden"
  | "host_not_found"
  | "host_unreachable"
  | "no_container_engine"
  | "no_working_dir"
  | "oauth_configuration"
  | "oauth_error"
  | "sign_in_needed"
  | "unauthorized";

export interface Health {
  level: "healthy" | "degraded" | "unhealthy";
  admin_state: "enabled" | "disabled" | "quarantined";
  summary: string;
  detail?: string;
  action: HealthAction;
}

/** The state of the tool listing of one connection. */
export interface ListingStatus {
  /** Whether this connection has listed its tools at least once. */
  readonly listed: boolean;
  /** Why the last listing failed; absent after a good one. Holds no known secret. */
  readonly error?: string;
}

/** A snapshot of one upstream connection. */
export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** When the connection entered this state. */
  readonly since: number;
  /** The last error of the connection or, while it is connected, of a failed tool listing. */
  readonly lastError?: string;
  /** The class of `lastError`; set whenever `lastError` is. */
  readonly errorClass?: ErrorClass;
  /** The cause of `lastError`, if it is one of those that have a remedy of their own. */
  readonly failureCause?: FailureCause;
  /** Set when the last failure was an unresolved `${env:X}` or `${keyring:X}`; the reference's text. */
  readonly missingSecret?: string;
  /** True when the upstream asked for a sign-in, or the token of the last one has ended and cannot be renewed. */
  readonly authRequired?: boolean;
  /** The last line on the server's standard error since its start that reports a rejected certificate. Masked. */
  readonly badCertificate?: string;
  /** The state of the tool listing; absent while the server is not connected. */
  readonly listing?: ListingStatus;
  /** Why the last listing of its prompts and resources failed; absent after a good one. Holds no known secret. */
  readonly itemsError?: string;
  readonly connectedAt?: number;
  readonly attempts: number;
  readonly reconnects: number;
  /** When the next connection attempt is due, while the proxy waits for it. */
  readonly nextAttemptAt?: number;
  readonly serverInfo?: { name: string; version: string; title?: string };
  readonly protocolVersion?: string;
  readonly instructions?: string;
  readonly pid?: number;
}
