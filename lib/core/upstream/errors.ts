import type { CertificateFault } from "../base/egress/certificate-fault.ts";
import { Fault } from "../base/fault.ts";
import type { ErrorClass, FailureCause } from "../schema/connection-status.ts";
import type { RpcErrorObject } from "../schema/mcp.ts";

interface UpstreamErrorOptions extends ErrorOptions {
  errorClass?: ErrorClass;
  failureCause?: FailureCause;
  certificateFault?: CertificateFault | undefined;
}

/**
 * Why an upstream could not be reached or did not respond. The message is for people and contains no secret. Only files
 * in `upstream/` use this error; callers get a Fault or the upstream's RpcError.
 */
export class UpstreamError extends Error {
  override readonly name: string = "UpstreamError";
  readonly errorClass: ErrorClass;
  /** The cause, if the throwing code knows it; otherwise `failure-cause.ts` determines it. */
  readonly failureCause: FailureCause | undefined;
  /** Set if the connection failed because of a certificate. */
  readonly certificateFault: CertificateFault | undefined;

  constructor(
    message: string,
    { errorClass = "connection_failed", failureCause, certificateFault, ...options }: UpstreamErrorOptions = {},
  ) {
    super(message, options);
    this.errorClass = errorClass;
    this.failureCause = failureCause;
    this.certificateFault = certificateFault;
  }
}

/** Returns the class of an error that ended or prevented a connection. */
export function errorClassOf(error: unknown): ErrorClass {
  if (error instanceof UpstreamError) return error.errorClass;
  return error instanceof Fault && error.code === "call_timeout" ? "timed_out" : "connection_failed";
}

/** Returns the certificate fault that an error or one of its causes reports. */
export function certificateFaultOf(error: unknown): CertificateFault | undefined {
  let one = error;
  for (let depth = 0; one instanceof Error && depth < MAX_CAUSES; depth++) {
    if (one instanceof UpstreamError && one.certificateFault) return one.certificateFault;
    const failure = one instanceof Fault && one.code === "fetch_failed" ? one.facts.failure : undefined;
    // The cast is safe: `fetch_failed` has only these failures.
    if (failure !== undefined && failure !== "too_large") return failure as CertificateFault;
    one = one.cause;
  }
  return undefined;
}
const MAX_CAUSES = 8;

/** A response with an HTTP status that is an error. `rpc` is the JSON-RPC error in its body, if there is one. */
export class StatusError extends UpstreamError {
  override readonly name = "StatusError";
  readonly status: number;
  readonly rpc: RpcErrorObject | undefined;

  constructor(status: number, rpc: RpcErrorObject | undefined, text: string) {
    super(`HTTP ${status}${rpc ? `: ${rpc.message}` : text ? `: ${text}` : ""}`);
    this.status = status;
    this.rpc = rpc;
  }
}

/** The upstream no longer knows the session. The request was certainly not executed. */
export class SessionLost extends UpstreamError {
  override readonly name = "SessionLost";
  readonly generation: number;

  constructor(generation: number) {
    super("it no longer knows the session");
    this.generation = generation;
  }
}

/**
 * The replica that ran the process of the server has ended, or cannot be reached. Another one takes over; a request under
 * way may have been executed.
 */
export class OwnerLost extends UpstreamError {
  override readonly name: string = "OwnerLost";
}

/** The replica that ran the process of the server hands it over. The request was certainly not executed. */
export class ProcessMoved extends OwnerLost {
  override readonly name = "ProcessMoved";
}

/** A person must sign in: the server responded with HTTP 401, or nobody is signed in. */
export class SignInNeeded extends UpstreamError {
  override readonly name: string = "SignInNeeded";

  constructor(why = "it requires a sign-in (HTTP 401)") {
    super(why, { errorClass: "sign_in_required" });
  }
}

/** HTTP 403: the sign-in lacks permissions. The connection can be used for other requests. */
export class ScopeNeeded extends SignInNeeded {
  override readonly name = "ScopeNeeded";

  constructor(scope: string) {
    super(`it requires a wider permission${scope === "" ? "" : ` (scope ${scope})`} than the sign-in granted`);
  }
}

/** A reference `${env:X}` or `${keyring:X}` has no value. */
export class MissingSecret extends UpstreamError {
  override readonly name = "MissingSecret";
  readonly reference: string;

  constructor(reference: string, options?: ErrorOptions) {
    super(`secret ${reference} is not set`, { ...options, errorClass: "missing_secret" });
    this.reference = reference;
  }
}
