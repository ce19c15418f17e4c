import { type App, part } from "../app.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import { callInspector } from "../extension/call-inspector.ts";
import type { Actor } from "../schema/caller.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import { recordCall } from "./record-call.ts";
import { acquireConnection } from "./stages/acquire.ts";
import { auditAllowed } from "./stages/audit-allowed.ts";
import { inspectCall } from "./stages/inspect.ts";
import { judgeCall } from "./stages/judge.ts";
import { resolveCall } from "./stages/resolve.ts";
import { sendCall } from "./stages/send.ts";
import { type CallRequest, type GatewayCall, openCall, type Stage } from "./stages/stage.ts";
import { treatReply } from "./stages/treat.ts";

/**
 * Makes a request about a task of a tool. The same decision applies as to a call of the tool at this moment.
 *
 * @throws what `callUpstreamTool` throws
 */
export async function requestTask(
  app: App,
  by: Actor,
  request: CallRequest & Required<Pick<CallRequest, "taskRequest">>,
): Promise<Reply<CallToolResult>> {
  const opened = openCall(app, by, request);
  for (const stage of app.part(taskPipeline)) {
    const pending = stage(opened);
    if (pending) await pending;
  }
  if (!opened.reply) throw opened.error;
  return opened.reply;
}

const taskPipeline = part<readonly Stage[]>("taskPipeline", (app) => {
  const isAudited = app.part(auditTrail).isKept;
  const isInspected = app.part(callInspector) !== undefined;
  return [
    resolveCall,
    judgeCall,
    ...(isInspected ? [inspectCall] : []),
    ...(isAudited ? [auditAllowed] : []),
    acquireConnection,
    sendCall,
    ...(isInspected ? [treatReply] : []),
    recordTask,
  ];
});

/** Clients look again and again how a task stands, so a look is recorded only if it fails or shows the end. */
function recordTask(call: GatewayCall): Promise<void> | undefined {
  const { status } = (call.reply?.result ?? {}) as { status?: unknown };
  const isLook = call.request.taskRequest?.method === "tasks/get" && call.error === undefined;
  return isLook && (status === "working" || status === "input_required") ? undefined : recordCall(call);
}
