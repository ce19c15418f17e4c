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
 * Why an upstream could not be reached or did not answer. The message is for people and holds no secret. Between
 * `upstream/` files only; callers get a Fault or the upstream's own RpcError.
 */
export class UpstreamError extends Error {
  override readonly name: string = "UpstreamError";
  readonly errorClass: ErrorClass;
  /** Set where the code that throws knows the cause; otherwise `failure-cause.ts` determines it. */
  readonly failureCause: FailureCause | undefined;
  /** Set if the connection failed because of the certificate. */
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

/** The class of whatever ended a connection or kept it from being made. */
export function errorClassOf(error: unknown): ErrorClass {
  if (error instanceof UpstreamError) return error.errorClass;
  return error instanceof Fault && error.code === "call_timeout" ? "timed_out" : "connection_failed";
}

/** The certificate fault that an error, or one of its causes, reports. */
export function certificateFaultOf(error: unknown): CertificateFault | undefined {
  let one = error;
  for (let depth = 0; one instanceof Error && depth < MAX_CAUSES; depth++) {
    if (one instanceof UpstreamError && one.certificateFault) return one.certificateFault;
    const failure = one instanceof Fault && one.code === "fetch_failed" ? one.facts.failure : undefined;
    // The facts of a Fault have no types once it is thrown; `fetch_failed` has only these failures.
    if (failure !== undefined && failure !== "too_large") return failure as CertificateFault;
    one = one.cause;
  }
  return undefined;
}
const MAX_CAUSES = 8;

/** An HTTP status that is no answer. `rpc` is the JSON-RPC error in its body, where there is one. */
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

/** The upstream does not know our session (any more); the request was surely not executed. */
export class SessionLost extends UpstreamError {
  override readonly name = "SessionLost";
  readonly generation: number;

  constructor(generation: number) {
    super("it no longer knows the session");
    this.generation = generation;
  }
}

/** Only a person who signs in can help: HTTP 401, or nobody is signed in and that was meant. */
export class SignInNeeded extends UpstreamError {
  override readonly name: string = "SignInNeeded";

  constructor(why = "it requires a sign-in (HTTP 401)") {
    super(why, { errorClass: "sign_in_required" });
  }
}

/** HTTP 403: it asks for more than was granted. The connection is good for everything else. */
export class ScopeNeeded extends SignInNeeded {
  override readonly name = "ScopeNeeded";

  constructor(scope: string) {
    super(`it requires a wider permission${scope === "" ? "" : ` (scope ${scope})`} than the sign-in granted`);
  }
}

/** A `${env:X}` or `${keyring:X}` without a value. */
export class MissingSecret extends UpstreamError {
  override readonly name = "MissingSecret";
  readonly reference: string;

  constructor(reference: string, options?: ErrorOptions) {
    super(`secret ${reference} is not set`, { ...options, errorClass: "missing_secret" });
    this.reference = reference;
  }
}
