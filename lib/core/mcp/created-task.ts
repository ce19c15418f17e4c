import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";
import type { CallToolResult, McpObject, Reply } from "../schema/mcp.ts";
import { rememberedTasks } from "./remembered-tasks.ts";
import { sealTask, type TaskHandle } from "./task-handles.ts";

interface CreatedTask {
  readonly reply: Reply<CallToolResult>;
  readonly handle: TaskHandle;
  /** The id by which the caller knows the task. */
  readonly sealed: string;
  readonly status: unknown;
}

/**
 * Makes the result of a call that was made as a task (2025-11-25). The id of the task is replaced by a sealed id that
 * only this caller can use.
 *
 * @param id id of the tool
 * @throws Fault upstream_failed if the upstream's response does not describe a task
 */
export async function createdTask(
  app: App,
  caller: Caller,
  id: string,
  { result }: Reply<CallToolResult>,
): Promise<CreatedTask> {
  const { task } = result as McpObject;
  const { taskId: own } = isJsonObject(task) ? task : {};
  const taskId = await sealTask(app, { caller, family: "2025" }, { id, taskId: own });
  if (!isJsonObject(task) || taskId === undefined) {
    const { server = "" } = splitToolId(id) ?? {};
    throw new Fault("upstream_failed", { server, reason: "it answered a call as a task without a task" });
  }
  const known: McpObject = { ...task, taskId };
  app.part(rememberedTasks).put(ownerKey(caller), known);
  const created = { ...result, task: known } as CallToolResult;
  const handle = { id, taskId: own as string };
  return { reply: { result: created, raw: JSON.stringify(created) }, handle, sealed: taskId, status: known.status };
}
