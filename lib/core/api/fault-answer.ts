import { docsPath } from "../base/docs-path.ts";
import { Fault } from "../base/fault.ts";
import type { FailureForm } from "./failure-form.ts";

/** The HTTP response that reports a fault: status, headers and JSON body. */
interface FaultAnswer {
  status: number;
  headers: Record<string, string>;
  body: object;
}

/**
 * Converts a failure to an HTTP response in the general form of spec 000 §7, with the code of the fault. An error other
 * than a Fault is a defect: it is passed to `onDefect` and sent as `internal` without details.
 *
 * @param form the form of the endpoint, if it has one of its own
 */
export function faultAnswer(
  error: unknown,
  { requestId, onDefect, form }: { requestId: string; onDefect: (error: unknown) => void; form?: FailureForm },
): FaultAnswer {
  const fault = error instanceof Fault ? error : new Fault("internal");
  if (fault !== error) onDefect(error);
  const headers = headersOf(fault);
  if (form) return { ...form.report(fault), headers };
  // The API description has its schema (openapi/errors.ts).
  const body = {
    success: false,
    error: fault.message,
    code: fault.code,
    request_id: requestId,
    docs: docsPath("errors", fault.code),
    ...problemsOf(fault),
    ...connectOf(fault),
    ...signInOf(fault),
  };
  return { status: fault.status, headers, body };
}

/** Returns the additional members for a failed sign-in at an upstream (spec 000 §7, OAuth flow error). */
function signInOf({ code, facts }: Fault): object {
  if (!("suggestion" in facts && "correlationId" in facts)) return {};
  const { server, reason, suggestion, correlationId, details } = facts;
  return {
    error_type: code,
    server_name: server,
    message: reason,
    suggestion,
    correlation_id: correlationId,
    details,
    debug_hint: correlationId
      ? `for details, search the log of the proxy for ${String(correlationId)}, or see: proxy upstream logs ${String(server)}`
      : "for details, see the log of the proxy",
  };
}

/**
 * Returns all errors of a document, if there may be several, and the required inputs of a registry server that are missing
 * in the request (spec 000 §4.4).
 */
function problemsOf({ facts }: Fault): object {
  const { problems, missing_inputs } = facts;
  return {
    ...(problems !== undefined && { validation_errors: problems }),
    ...(missing_inputs !== undefined && { missing_inputs }),
  };
}

/** Returns the additional members for failures of connect (spec 000 §4.5 rules 1 and 4). */
function connectOf({ code, facts, message }: Fault): object {
  if (code === "connect_denied") return { remediation: String(facts.remediation) };
  if (code !== "connect_conflict") return {};
  const { action, client, path: config_path, server_name } = facts;
  return { action: String(action), data: { client, config_path, server_name, action, message } };
}

function headersOf({ code, facts }: Fault): Record<string, string> {
  if (code === "method_not_allowed") return { Allow: String(facts.allow) };
  if (code === "unauthenticated") return { "WWW-Authenticate": 'Bearer realm="proxy"' };
  // The connection is closed, so that the rest of the large body need not be read.
  if (code === "body_too_large") return { Connection: "close" };
  if (code === "server_busy") return { Connection: "close", "Retry-After": "1" };
  if (typeof facts.retryAfterMs === "number") return { "Retry-After": String(Math.ceil(facts.retryAfterMs / 1000)) };
  return {};
}
