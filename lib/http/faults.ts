import { Fault } from "../base/fault.ts";

/** A failure as HTTP says it. */
export interface FaultAnswer {
  status: number;
  headers: Record<string, string>;
  body: {
    success: false;
    error: string;
    code: string;
    request_id: string;
    /** Each thing that is wrong with a document, where there may be several. */
    validation_errors?: readonly { field: string; message: string }[];
  };
}

/**
 * The one place where a failure becomes an HTTP answer: the general shape of spec 000 §7, with the fault's code. What
 * is no Fault is a defect: it is named to `onDefect` and answered as `internal`, telling nothing.
 */
export function faultAnswer(error: unknown, requestId: string, onDefect: (error: unknown) => void): FaultAnswer {
  const fault = error instanceof Fault ? error : new Fault("internal");
  if (fault !== error) onDefect(error);
  return {
    status: fault.status,
    headers: headersOf(fault),
    body: {
      success: false,
      error: fault.message,
      code: fault.code,
      request_id: requestId,
      ...problemsOf(fault),
    },
  };
}

function problemsOf({ facts }: Fault): Pick<FaultAnswer["body"], "validation_errors"> {
  const { problems } = facts as { problems?: FaultAnswer["body"]["validation_errors"] };
  return problems ? { validation_errors: problems } : {};
}

function headersOf({ code, facts }: Fault): Record<string, string> {
  if (code === "method_not_allowed") return { Allow: String(facts.allow) };
  if (code === "unauthenticated") return { "WWW-Authenticate": 'Bearer realm="proxy"' };
  // What is left of an oversized body is not worth reading.
  if (code === "body_too_large") return { Connection: "close" };
  if (typeof facts.retryAfterMs === "number") return { "Retry-After": String(Math.ceil(facts.retryAfterMs / 1000)) };
  return {};
}
