import type { App } from "../app.ts";
import { upstreamFor } from "../gateway/upstream-for.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { TaskHandle } from "./task-handles.ts";

interface FollowedTask {
  readonly caller: Caller;
  readonly handle: TaskHandle;
  readonly signal: AbortSignal;
  /** Looks at the task and reports it to the client. @returns the task; undefined when nobody listens just now */
  report(): Promise<McpObject | undefined>;
}

/** Changes within this time are one report. (ms) */
const SETTLE_MS = 50;

const ENDED: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);

/**
 * Has a task reported to its client when its server says that it changed. What the client gets is what a look at the task
 * gives at that moment, so the same decision and the same treatment apply, and the server's own notification is not passed
 * on. It ends with the task, or when a look fails: the client may have lost access.
 *
 * @returns what ends it
 * @throws Fault user_connect_needed, server_not_ready; RpcError, UpstreamError the server does not agree
 */
export async function followTask(app: App, { caller, handle, signal, report }: FollowedTask): Promise<() => void> {
  const { server = "" } = splitToolId(handle.id) ?? {};
  const upstream = await upstreamFor(app, caller, server, signal);
  let stopTimer: (() => void) | undefined;
  let isReporting = false;
  let isDue = false;
  let isOver = false;
  let unwatch = () => {};
  const end = () => {
    isOver = true;
    stopTimer?.();
    unwatch();
  };
  const run = async () => {
    isReporting = true;
    isDue = false;
    try {
      const task = await report();
      if (task && ENDED.has(task.status)) end();
    } catch {
      end();
    }
    isReporting = false;
    if (isDue) schedule();
  };
  const schedule = () => {
    if (isOver) return;
    isDue = true;
    if (isReporting) return;
    stopTimer ??= app.clock.after(SETTLE_MS, () => {
      stopTimer = undefined;
      void run();
    });
  };
  unwatch = await upstream.watchTask(handle.taskId, schedule);
  if (isOver) unwatch();
  return end;
}
