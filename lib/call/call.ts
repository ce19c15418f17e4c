import type { App } from "../app.ts";
import type { Actor } from "../shape/caller.ts";
import type { CallToolResult, JsonObject, Progress, Reply } from "../shape/mcp.ts";
import type { CallVariant } from "../shape/tool.ts";

export interface CallRequest {
  /** `server:tool`. */
  id: string;
  args: JsonObject;
  /** Which call tool it came through; absent in direct mode, code execution and REST. */
  variant?: CallVariant;
  intent?: { operation_type: string; data_sensitivity?: string; reason?: string };
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Passed on to the upstream in `_meta`. */
  meta?: JsonObject;
}

/**
 * The one way an upstream tool is called: judged, limited, sent, recorded.
 *
 * @returns the upstream's answer with its own bytes; `isError` results are answers too
 * @throws Fault tool_not_found, tool_blocked, permission_denied, destructive_mismatch, server_not_ready, queue_full,
 *   queue_timeout, call_timeout, cancelled, upstream_failed
 * @throws RpcError the upstream's own JSON-RPC error, code and data kept
 */
export declare function call(app: App, by: Actor, request: CallRequest): Promise<Reply<CallToolResult>>;
