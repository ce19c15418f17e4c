import type { App } from "../app.ts";
import { type McpObject, RpcError } from "../schema/mcp.ts";
import type { StatelessClients } from "../verbs/sessions/stateless.ts";
import { actorOf } from "./actor-of.ts";
import { followTask } from "./follow-task.ts";
import { forwardedCapabilities } from "./input-required.ts";
import { lookAtTask2026 } from "./look-at-task.ts";
import type { RequestContext } from "./request-context.ts";
import { NO_SUCH_TASK, openTask } from "./task-handles.ts";

/** The tasks that one `subscriptions/listen` request names. (2026-07-28, extension for tasks) */
export interface ListenedTasks {
  /**
   * Resolves when the server has accepted.
   *
   * @param taskId the id that the client knows
   * @throws Fault, RpcError, UpstreamError if the caller has no such task, or the server does not accept
   */
  follow(taskId: string): Promise<void>;
  giveUp(taskId: string): void;
  end(): void;
}

/**
 * Returns the tasks of a `subscriptions/listen` request, none at first. @param report receives a task in the form of
 * `tasks/get`
 */
export type ListenForTasks = (turn: RequestContext, report: (task: McpObject) => void) => ListenedTasks;

export function createListenForTasks(app: App, stateless: StatelessClients): ListenForTasks {
  return (turn, report) => {
    const { caller } = turn.requester;
    const { signal } = turn.abort;
    const capabilities = forwardedCapabilities(turn.envelope?.capabilities ?? {});
    const followed = new Map<string, AbortController>();
    return {
      async follow(sealed) {
        const over = new AbortController();
        followed.set(sealed, over);
        const handle = await openTask(app, { caller, family: "2026" }, sealed);
        if (!handle) throw new RpcError(NO_SUCH_TASK);
        const by = actorOf(app, turn, stateless);
        const look = async () => {
          const asked = { by, handle, sealed, forwarded: { signal } };
          const { resultType, ...task } = await lookAtTask2026(app, asked, capabilities);
          return task as McpObject;
        };
        // A caller may listen if it may request the task.
        await look();
        await followTask(app, { caller, handle, over, knownStatus: "working", look, report });
      },
      giveUp: (sealed) => followed.get(sealed)?.abort(),
      end() {
        for (const over of followed.values()) over.abort();
      },
    };
  };
}
