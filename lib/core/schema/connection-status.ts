/** Connection states of one upstream (spec 001 §3). */
export type ConnectionState = "Disconnected" | "Connecting" | "Authenticating" | "Ready" | "Error";

/** Spec 000 §2.4, with the reference's further actions. */
export type HealthAction = "" | "login" | "restart" | "enable" | "approve" | "view_logs" | "set_secret" | "configure";

/** Why a server is not connected, in our words alone: the text of an error may hold what the server wrote. */
export type ErrorClass =
  | "connection_failed"
  | "handshake_failed"
  | "listing_failed"
  | "missing_secret"
  | "process_exited"
  | "sign_in_failed"
  | "sign_in_required"
  | "timed_out";

export interface Health {
  level: "healthy" | "degraded" | "unhealthy";
  admin_state: "enabled" | "disabled" | "quarantined";
  summary: string;
  detail?: string;
  action: HealthAction;
}

/** How listing the tools of one connection goes. */
export interface ListingStatus {
  /** Whether this connection has listed its tools at least once. */
  readonly listed: boolean;
  /** Why the last listing failed; absent after a good one. Holds no known secret. */
  readonly error?: string;
}

/** What is known right now about one upstream connection. A plain value, taken at one moment. */
export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** Since when it is in this state. */
  readonly since: number;
  /** Of the connection; while it stands, of the last tool listing where that failed. */
  readonly lastError?: string;
  /** Of `lastError`, and set whenever that is. */
  readonly errorClass?: ErrorClass;
  /** Set when the last failure was an unresolved `${env:X}` or `${keyring:X}`; the reference's text. */
  readonly missingSecret?: string;
  /** True when the upstream asked for a sign-in, or the token of the last one has ended and cannot be renewed. */
  readonly authRequired?: boolean;
  /** The last line of its standard error, since it was started, that tells of a certificate it does not accept. Masked. */
  readonly badCertificate?: string;
  /** How listing its tools goes; absent while it is not connected. */
  readonly listing?: ListingStatus;
  readonly connectedAt?: number;
  readonly attempts: number;
  readonly reconnects: number;
  /** When the next attempt is due, while waiting for it. */
  readonly nextAttemptAt?: number;
  readonly serverInfo?: { name: string; version: string; title?: string };
  readonly protocolVersion?: string;
  readonly instructions?: string;
  readonly pid?: number;
}
