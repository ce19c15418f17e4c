import { type App, part } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import { runStages } from "./call.ts";
import { pipeline } from "./pipeline.ts";
import { recordCall } from "./record-call.ts";
import { resolveCall } from "./stages/resolve.ts";
import { type CallRequest, type GatewayCall, openCall, type Stage } from "./stages/stage.ts";

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
  return runStages(app.part(taskPipeline), openCall(app, by, request));
}

const taskPipeline = part<readonly Stage[]>("taskPipeline", (app) =>
  pipeline(app, { resolve: resolveCall, record: recordTask }),
);

/** Clients look again and again how a task stands, so a look is recorded only if it fails or shows the end. */
function recordTask(call: GatewayCall): Promise<void> | undefined {
  const { status } = (call.reply?.result ?? {}) as { status?: unknown };
  const isLook = call.request.taskRequest?.method === "tasks/get" && call.error === undefined;
  return isLook && (status === "working" || status === "input_required") ? undefined : recordCall(call);
}
