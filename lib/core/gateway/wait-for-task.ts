import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, RELATED_TASK, type Reply } from "../schema/mcp.ts";
import { UpstreamError } from "../upstream/errors.ts";
import type { RequestOptions, Upstream } from "../upstream/upstreams.ts";

/** Timeout for cancelling a task whose result nobody waits for. (ms) */
const CANCEL_TIMEOUT_MS = 5000;

/**
 * Calls a tool that its server runs only as a task (2025-11-25), for a caller that does not use tasks: creates the task
 * and waits for its result. If the caller leaves, the task is cancelled.
 *
 * @param params of `tools/call`
 * @throws the same as `Upstream.request`
 */
export async function waitForTask(
  upstream: Pick<Upstream, "request">,
  params: McpObject,
  options: RequestOptions,
): Promise<Reply> {
  const startedAt = performance.now();
  const asTask = { ...params, task: { ttl: options.timeoutMs } };
  const { onProgress } = options;
  let isOver = false;
  const making: RequestOptions = { ...options, makesTask: true };
  if (onProgress)
    making.onProgress = (progress) => {
      if (!isOver) onProgress(progress);
    };
  const { result: created } = await upstream.request("tools/call", asTask, making);
  const task = isJsonObject(created) ? created.task : undefined;
  if (!isJsonObject(task) || typeof task.taskId !== "string")
    throw new UpstreamError("it answered a call as a task without a task");
  const { taskId } = task;
  const left = Math.max(1, options.timeoutMs - (performance.now() - startedAt));
  try {
    return withoutTask(await upstream.request("tasks/result", { taskId }, { ...options, timeoutMs: left }));
  } catch (error) {
    upstream.request("tasks/cancel", { taskId }, { timeoutMs: CANCEL_TIMEOUT_MS }).catch(() => {
      // The task may have ended already.
    });
    throw error;
  } finally {
    isOver = true;
  }
}

/** Removes the reference to the task, which the caller does not know. */
function withoutTask(reply: Reply): Reply {
  const { result } = reply;
  if (!isJsonObject(result) || !isJsonObject(result._meta)) return reply;
  const { [RELATED_TASK]: _, ...meta } = result._meta;
  const { _meta, ...rest } = result;
  const plain = { ...rest, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  return { result: plain, raw: JSON.stringify(plain) };
}
