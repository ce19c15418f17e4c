import type { ForwardedRequest } from "../gateway/forwarded-request.ts";
import type { McpObject } from "../schema/mcp.ts";
import { rpcNotificationText } from "./rpc.ts";
import type { McpSession } from "./sessions.ts";

/**
 * Sends the progress of a task to the stream of its session after the call that made the task was answered, because the
 * progress token stays valid until the task ends. (2025-11-25, tasks: Task Progress Notifications)
 *
 * @returns a function to call when the call is answered
 */
export function outliveCall(
  forwarded: ForwardedRequest,
  session: McpSession | undefined,
  meta: McpObject | undefined,
): () => void {
  let report = forwarded.onProgress;
  if (!report) return () => {};
  const progressToken = meta?.progressToken;
  forwarded.onProgress = (progress) => report?.(progress);
  return () => {
    report = (progress) =>
      session?.outlets.at(-1)?.send(rpcNotificationText("notifications/progress", { ...progress, progressToken }));
  };
}
