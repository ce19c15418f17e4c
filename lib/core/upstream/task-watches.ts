import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import { type McpObject, TASKS_EXTENSION } from "../schema/mcp.ts";
import type { ActiveConnection } from "./active-connection.ts";
import { createSubscriptionStream, type SubscriptionStream } from "./subscription-stream.ts";
import type { RequestOptions } from "./upstreams.ts";

/** One open connection. */
type TaskChannel = Pick<ActiveConnection, "opened" | "sender">;

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

export function createTaskWatches(options: { readonly clock: Clock }): TaskWatches {
  return new Watches(options.clock);
}

/** A class, because there is one for each server. */
class Watches implements TaskWatches {
  private readonly clock: Clock;
  private stream: SubscriptionStream | undefined = undefined;
  // Made at the first use, because it takes 12 KB and few servers have tasks.
  private watched: LRUCache<string, Set<() => void>> | undefined = undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async watch(taskId: string, changed: () => void): Promise<() => void> {
    this.watched ??= this.createWatched();
    const tasks = this.watched;
    const watchers = tasks.get(taskId) ?? new Set();
    tasks.set(taskId, watchers.add(changed));
    const end = () => {
      if (watchers.delete(changed) && watchers.size === 0 && tasks.peek(taskId) === watchers) tasks.delete(taskId);
    };
    try {
      await this.stream?.add(taskId);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  notified({ taskId }: McpObject): void {
    if (typeof taskId === "string") for (const changed of [...(this.watched?.get(taskId) ?? [])]) changed();
  }

  connected({ opened, sender }: TaskChannel): void {
    const { clock, watched } = this;
    this.stream?.close();
    const listen = (taskIds: string[], options: RequestOptions) =>
      sender.send("subscriptions/listen", { notifications: { taskIds } }, { ...options, asking: TASKS });
    const stream =
      opened.handshake.family.name === "2026"
        ? createSubscriptionStream({ clock, member: "taskIds", listen })
        : undefined;
    this.stream = stream;
    // If the server does not accept again, it reports nothing, but clients can still request their tasks.
    if (stream) for (const taskId of watched?.keys() ?? []) stream.add(taskId).catch(() => {});
    for (const watchers of [...(watched?.values() ?? [])]) for (const changed of watchers) changed();
  }

  disconnected(): void {
    this.stream?.close();
    this.stream = undefined;
  }

  isWatching(): boolean {
    return this.watched !== undefined && this.watched.size > 0;
  }

  private createWatched(): LRUCache<string, Set<() => void>> {
    return new LRUCache({
      max: MAX_WATCHED,
      dispose: (_, taskId, reason) => {
        if (reason !== "set") this.stream?.remove(taskId);
      },
    });
  }
}

/** Servers report tasks only to clients that declare the extension. */
const TASKS = { capabilities: { extensions: { [TASKS_EXTENSION]: {} } } };
