import type { CertificateFault } from "../base/egress/certificate-fault.ts";

/** Connection states of one upstream (spec 001 §3). */
export type ConnectionState = "Disconnected" | "Connecting" | "Authenticating" | "Ready" | "Error";

/** What a person can do about a server's health (spec 000 §2.4), with further actions of the reference. */
export type HealthAction = "" | "login" | "restart" | "enable" | "approve" | "view_logs" | "set_secret" | "configure";

/**
 * The class of a connection error. Messages may show the class where they must not show the error itself, which may
 * quote the server.
 */
export type ErrorClass =
  | "connection_failed"
  | "handshake_failed"
  | "listing_failed"
  | "missing_secret"
  | "process_exited"
  | "sign_in_failed"
  | "sign_in_required"
  | "timed_out";

/**
 * The cause of a failed connection that a person has to fix; `gateway/health.ts` has a summary and a remedy for each.
 */
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
  /** Why the last listing failed; absent if it succeeded. Contains no known secret. */
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
  /** The cause of `lastError`, if it is one with its own remedy. */
  readonly failureCause?: FailureCause;
  /** Set if the last failure was a secret reference that could not be resolved: `${env:X}` or `${keyring:X}`. */
  readonly missingSecret?: string;
  /** True if the upstream requires a sign-in, or its token expired and cannot be renewed. */
  readonly authRequired?: boolean;
  /**
   * When the upstream last rejected a request over an open connection for lack of a sign-in (ms). It may accept others.
   */
  readonly signInRejectedAt?: number;
  /** Set if the last failure was a certificate that the proxy rejected. */
  readonly certificateFault?: CertificateFault;
  /** The last line that the server wrote to standard error since its start about a rejected certificate; masked. */
  readonly badCertificate?: { readonly fault: CertificateFault; readonly line: string };
  /** The state of the tool listing; absent while the server is not connected. */
  readonly listing?: ListingStatus;
  /** Why the last listing of prompts and resources failed; absent if it succeeded. Contains no known secret. */
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
