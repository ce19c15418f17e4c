import { type App, part } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import { runStages } from "./call.ts";
import { pipeline } from "./pipeline.ts";
import { recordCall } from "./record-call.ts";
import { resolveCall } from "./stages/resolve.ts";
import { type CallRequest, type GatewayCall, openCall, type Stage } from "./stages/stage.ts";

/**
 * Makes a request about a task of a tool. It is allowed only if a call of the tool would be allowed now.
 *
 * @throws the same as `callUpstreamTool`
 */
export async function requestTask(
  app: App,
  by: Actor,
  request: CallRequest & Required<Pick<CallRequest, "taskRequest">>,
): Promise<Reply<CallToolResult>> {
  return runStages(app.part(taskPipeline), openCall(app, by, request));
}

const taskPipeline = part<readonly Stage[]>("taskPipeline", (app) =>
  pipeline(app, { resolve: resolveCall, record: recordTask }),
);

/**
 * Records the request. Clients poll the state of a task, so a request for it is recorded only if it fails or the task
 * has ended.
 */
function recordTask(call: GatewayCall): Promise<void> | undefined {
  const { status } = (call.reply?.result ?? {}) as { status?: unknown };
  const isLook = call.request.taskRequest?.method === "tasks/get" && call.error === undefined;
  return isLook && (status === "working" || status === "input_required") ? undefined : recordCall(call);
}
