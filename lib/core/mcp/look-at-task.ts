import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { type ForwardedRequest, withForwarded } from "../gateway/forwarded-request.ts";
import { mapToolUris } from "../gateway/map-tool-uris.ts";
import { requestTask } from "../gateway/request-task.ts";
import type { TaskMethod } from "../gateway/stages/stage.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { type Actor, ownerKey } from "../schema/caller.ts";
import { type CallToolResult, type McpObject, TASKS_EXTENSION } from "../schema/mcp.ts";
import { relayInputRequired } from "./input-required.ts";
import { rememberedTasks } from "./remembered-tasks.ts";
import type { TaskHandle } from "./task-handles.ts";

/** A request for a task, or the request that cancels it. */
interface TaskLook {
  readonly by: Actor;
  readonly handle: TaskHandle;
  /** The id by which the client knows the task. */
  readonly sealed: string;
  readonly forwarded: ForwardedRequest;
}

/**
 * Requests a task and returns it in the form for the client. (2025-11-25)
 *
 * @throws the same as `requestTask`
 */
export async function lookAtTask2025(
  app: App,
  { by, handle, sealed, forwarded }: TaskLook,
  method: TaskMethod,
): Promise<McpObject> {
  const { result } = await requestTask(app, by, withForwarded(forwarded, requestAbout(handle, method, forwarded)));
  const task = { ...result, taskId: sealed };
  app.part(rememberedTasks).put(ownerKey(by.caller), task);
  return task;
}

/**
 * Requests a task and returns it in the form for the client, with its result or its questions. (2026-07-28)
 *
 * @param capabilities the client's capabilities to be asked
 * @throws the same as `requestTask`; RpcError -32021 for a question that the client cannot be asked
 */
export async function lookAtTask2026(
  app: App,
  { by, handle, sealed, forwarded }: TaskLook,
  capabilities: McpObject,
): Promise<McpObject> {
  const { server = "" } = splitToolId(handle.id) ?? {};
  forwarded.asking = { capabilities: { ...capabilities, extensions: { [TASKS_EXTENSION]: {} } } };
  const request = requestAbout(handle, "tasks/get", forwarded);
  const { result } = await requestTask(app, by, withForwarded(forwarded, request));
  if (!isJsonObject(result)) throw new Fault("upstream_failed", { server, reason: "its result is not an object" });
  const shown: McpObject = { ...result, resultType: "complete", taskId: sealed };
  if (isJsonObject(result.result)) {
    const inner = result.result as CallToolResult;
    shown.result = (await mapToolUris(app, handle.id, { raw: JSON.stringify(inner), result: inner })).result;
  }
  if (result.status !== "input_required") return shown;
  return JSON.parse(relayInputRequired(shown, { server, capabilities, seal: (state) => state }));
}

/** Returns a request about a task, without the forwarded parts of the client's request. */
export function requestAbout({ id, taskId }: TaskHandle, method: TaskMethod, { signal }: ForwardedRequest) {
  return { id, args: {} as McpObject, signal, taskRequest: { method, params: { taskId } } };
}
