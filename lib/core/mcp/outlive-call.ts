import type { ForwardedRequest } from "../gateway/forwarded-request.ts";
import type { McpObject } from "../schema/mcp.ts";
import { rpcNotificationText } from "./rpc.ts";
import type { McpSession } from "./sessions.ts";

/**
 * Has the progress of a task go to the stream of its session once the call that made it is answered, since the token of the
 * call stays good. (2025-11-25, tasks: Task Progress Notifications)
 *
 * @returns to be called when the call is answered
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
