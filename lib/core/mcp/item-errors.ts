import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { RPC, RpcError, type RpcErrorObject } from "../schema/mcp.ts";
import type { McpRequest } from "./protocol-methods.ts";
import type { RequestContext } from "./request-context.ts";

/** Converts the error of a request about a prompt or a resource to that of the client's protocol version. */
export function itemError(app: App, turn: RequestContext, { method }: McpRequest, error: unknown): RpcErrorObject {
  if (error instanceof RpcError) {
    if (turn.envelope && error.code === RPC.missingCapability) turn.status = 400;
    return plainError(error);
  }
  if (error instanceof Fault) {
    const { retryAfterMs } = error.facts;
    const data = { code: error.code, ...(typeof retryAfterMs === "number" && { retry_after_ms: retryAfterMs }) };
    return { code: REFUSED.has(error.code) ? RPC.invalidParams : RPC.internal, message: error.message, data };
  }
  const { requestId } = turn.requester;
  const stack = error instanceof Error ? error.stack : String(error);
  app.log.error(`${method} failed inside the proxy`, { request_id: requestId, stack });
  return { code: RPC.internal, message: "Internal error", data: { request_id: requestId } };
}

/** Faults that the client cannot avoid by repeating the request. */
const REFUSED: ReadonlySet<string> = new Set([
  "item_not_found",
  "item_blocked",
  "permission_denied",
  "sensitive_arguments",
  "output_blocked",
]);

/** Makes the error for a resource that does not exist; the code depends on the protocol version. */
export function resourceNotFound({ envelope }: RequestContext, uri: string): RpcError {
  const code = envelope ? RPC.invalidParams : RPC.resourceNotFound;
  return new RpcError({ code, message: "Resource not found", data: { uri } });
}

/**
 * True if a read failed because the resource does not exist. Its only parameter was valid, so "invalid params" means
 * the same.
 */
export function saysMissing(error: unknown): boolean {
  if (error instanceof Fault) return error.code === "item_not_found";
  return error instanceof RpcError && (error.code === RPC.resourceNotFound || error.code === RPC.invalidParams);
}

function plainError({ code, message, data }: RpcError): RpcErrorObject {
  return { code, message, ...(data !== undefined && { data }) };
}
