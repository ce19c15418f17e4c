import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import { type McpObject, type Reply, TASKS_EXTENSION } from "../schema/mcp.ts";
import { createSubscriptionStream, type SubscriptionStream } from "./subscription-stream.ts";
import type { RequestOptions } from "./upstreams.ts";

/** One open connection. */
interface TaskChannel {
  readonly family: "2025" | "2026";
  send(method: string, params: McpObject, options: RequestOptions): Promise<Reply>;
}

/** The tasks of one server whose changes are reported to clients, over the server's current connection. */
export interface TaskWatches {
  /**
   * Calls `changed` when the server reports a change of the task, and after each reconnect.
   *
   * @returns a function that ends it
   * @throws RpcError, UpstreamError if a server of 2026-07-28 does not accept
   */
  watch(taskId: string, changed: () => void): Promise<() => void>;
  /** Handles `notifications/tasks` (2026-07-28) or `notifications/tasks/status` (2025-11-25). */
  notified(params: McpObject): void;
  connected(channel: TaskChannel): void;
  disconnected(): void;
  /** True while clients follow tasks. */
  isWatching(): boolean;
}

/** Maximum number of tasks of one server that are watched; above it the least recently watched is dropped. */
const MAX_WATCHED = 500;

export function createTaskWatches({ clock }: { readonly clock: Clock }): TaskWatches {
  let stream: SubscriptionStream | undefined;
  // Made at the first use, because it takes 12 KB and few servers have tasks.
  let watched: LRUCache<string, Set<() => void>> | undefined;
  const createWatched = () =>
    new LRUCache<string, Set<() => void>>({
      max: MAX_WATCHED,
      dispose: (_, taskId, reason) => {
        if (reason !== "set") stream?.remove(taskId);
      },
    });

  const changedAll = () => {
    for (const watchers of [...(watched?.values() ?? [])]) for (const changed of watchers) changed();
  };

  return {
    async watch(taskId, changed) {
      watched ??= createWatched();
      const tasks = watched;
      const watchers = tasks.get(taskId) ?? new Set();
      tasks.set(taskId, watchers.add(changed));
      const end = () => {
        if (watchers.delete(changed) && watchers.size === 0 && tasks.peek(taskId) === watchers) tasks.delete(taskId);
      };
      try {
        await stream?.add(taskId);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    notified({ taskId }) {
      if (typeof taskId === "string") for (const changed of [...(watched?.get(taskId) ?? [])]) changed();
    },
    connected({ family, send }) {
      stream?.close();
      const listen = (taskIds: string[], options: RequestOptions) =>
        send("subscriptions/listen", { notifications: { taskIds } }, { ...options, asking: TASKS });
      stream = family === "2026" ? createSubscriptionStream({ clock, member: "taskIds", listen }) : undefined;
      // If the server does not accept again, it reports nothing, but clients can still request their tasks.
      if (stream) for (const taskId of watched?.keys() ?? []) stream.add(taskId).catch(() => {});
      changedAll();
    },
    disconnected() {
      stream?.close();
      stream = undefined;
    },
    isWatching: () => (watched?.size ?? 0) > 0,
  };
}

/** Servers report tasks only to clients that declare the extension. */
const TASKS = { capabilities: { extensions: { [TASKS_EXTENSION]: {} } } };
