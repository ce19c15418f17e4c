import type { App } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";
import { followTask } from "./follow-task.ts";
import { lookAtTask2025 } from "./look-at-task.ts";
import { rpcNotificationText } from "./rpc.ts";
import type { McpSession } from "./sessions.ts";
import type { TaskHandle } from "./task-handles.ts";

/** Maximum number of tasks of one session that are followed; above it the oldest is no longer followed. */
const MAX_FOLLOWED = 100;

/**
 * Reports changes of a task to the session that made it, while the session listens. (2025-11-25:
 * `notifications/tasks/status`)
 */
export function reportOwnTask(
  app: App,
  session: McpSession | undefined,
  by: Actor,
  { handle, sealed, status }: { handle: TaskHandle; sealed: string; status: unknown },
): void {
  if (!session) return;
  const over = new AbortController();
  const { signal } = over;
  const { followedTasks } = session;
  if (followedTasks.size >= MAX_FOLLOWED) followedTasks.values().next().value?.abort();
  followedTasks.add(over);
  signal.addEventListener("abort", () => followedTasks.delete(over), { once: true });
  const followed = followTask(app, {
    caller: by.caller,
    handle,
    over,
    knownStatus: status,
    async look() {
      if (session.outlets.length === 0) return undefined;
      const look = { by: { ...by, caller: session.caller }, handle, sealed, forwarded: { signal } };
      return lookAtTask2025(app, look, "tasks/get");
    },
    report: (task) =>
      session.outlets.at(-1)?.send(rpcNotificationText("notifications/tasks/status", withoutMeta(task))),
  });
  app.log.catch("following a task", followed);
}

/** Removes `_meta`: the notification names the task itself, so the related task in `_meta` is not needed. */
function withoutMeta({ _meta, ...task }: McpObject): McpObject {
  return task;
}
