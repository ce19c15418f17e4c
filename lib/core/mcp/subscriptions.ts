import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { ResourceSubscriber } from "../gateway/resource-subscriptions.ts";
import type { Caller } from "../schema/caller.ts";
import { ownerKey } from "../schema/caller.ts";
import { type McpObject, META_PREFIX, RPC, type RpcId } from "../schema/mcp.ts";
import { isAppHost } from "./app-host.ts";
import { declaresTasks, TASKS_NEEDED } from "./declares-tasks.ts";
import type { ListenForTasks } from "./listened-tasks.ts";
import type { RequestContext } from "./request-context.ts";
import { completedResult, type ServerInfo } from "./result.ts";
import { invalidParams, rpcErrorText, rpcNotificationText, rpcResultText } from "./rpc.ts";
import type { ListReader, ToolLists } from "./tool-lists.ts";

/** A `subscriptions/listen` request of a 2026-07-28 client, which stays open while the client listens for changes. */
interface Subscription extends ListReader, ResourceSubscriber {
  notify(method: string): void;
  /** Ends the subscription with its result. */
  end(): void;
}

/** The method `subscriptions/listen` (2026-07-28). */
export interface Subscriptions {
  /**
   * Confirms the subscription and stays open. Resolves with undefined if the client cancels, or with the result if the
   * proxy ends the subscription.
   */
  listen(turn: RequestContext, id: RpcId, params: McpObject): Promise<string | undefined> | string;
  all(): Iterable<Subscription>;
}

interface SubscriptionsOptions {
  readonly clock: Clock;
  readonly info: ServerInfo;
  /** Records the current lists as known to a reader. */
  readonly mark: ToolLists["mark"];
  /** Subscribes to a resource by the URI that the client sent. @throws Fault, RpcError */
  subscribe(client: ResourceSubscriber, uri: string, signal: AbortSignal): Promise<void>;
  unsubscribe(client: ResourceSubscriber, uri: string): void;
  readonly listenForTasks: ListenForTasks;
  /** Called when the client no longer listens to any resource. */
  left(client: ResourceSubscriber): void;
  /** Maximum number of subscriptions. */
  readonly most?: number;
}

/** Maximum number of subscriptions, because each holds a connection. One caller may have half of them. */
const MAX_SUBSCRIPTIONS = 1000;

/** Maximum number of resources in one request; further ones are not confirmed. */
const MAX_RESOURCES = 256;
/** Maximum number of tasks in one request; further ones are not confirmed. */
const MAX_TASKS = 64;
/** How long the confirmation waits for servers. (ms) */
const CONFIRM_MS = 2000;

/** The lists to which a client can subscribe, and the notification about each. */
const CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
};

const ID = `${META_PREFIX}subscriptionId`;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { clock, info, mark, most = MAX_SUBSCRIPTIONS } = options;
  const live = new Set<Subscription>();
  const held = (caller: Caller) => {
    let count = 0;
    for (const one of live) if (ownerKey(one.caller) === ownerKey(caller)) count++;
    return count;
  };

  /**
   * Subscribes to several items, and returns the names of those that their servers accepted in time. The others are
   * given up.
   */
  const subscribeAll = async (
    names: readonly string[],
    subscribe: (name: string) => Promise<void>,
    giveUp: (name: string) => void,
  ) => {
    const agreed = new Set<string>();
    const all = names.map((name) => subscribe(name).then(() => agreed.add(name)));
    let stopWait = () => {};
    const late = new Promise<void>((done) => {
      stopWait = clock.after(CONFIRM_MS, done);
    });
    await Promise.race([Promise.allSettled(all), late]);
    stopWait();
    const honoured = names.filter((name) => agreed.has(name));
    for (const name of names) if (!agreed.has(name)) giveUp(name);
    return honoured;
  };

  return {
    all: () => live,
    listen(turn, id, { notifications }) {
      const { notify, abort, mode, running } = turn;
      const { caller } = turn.requester;
      if (!isJsonObject(notifications)) return rpcErrorText(id, invalidParams("notifications must be an object"));
      const { resourceSubscriptions: named = [], taskIds: namedTasks = [] } = notifications;
      if (!isTexts(named))
        return rpcErrorText(id, invalidParams("notifications.resourceSubscriptions must be an array of URIs"));
      if (!isTexts(namedTasks)) return rpcErrorText(id, invalidParams("notifications.taskIds must be an array of ids"));
      if (notifications.taskIds !== undefined && !declaresTasks(turn.envelope?.capabilities ?? {})) {
        turn.status = 400;
        return rpcErrorText(id, TASKS_NEEDED);
      }
      if (!notify) {
        turn.status = 406;
        return rpcErrorText(id, { code: RPC.invalidRequest, message: "Accept must allow text/event-stream" });
      }
      if (live.size >= most || held(caller) >= most / 2)
        return rpcErrorText(id, {
          code: RPC.internal,
          message: "Too many subscriptions; end one first",
        });
      const honoured = Object.keys(CHANGES).filter((name) => notifications[name] === true);
      const uris = [...new Set(named.slice(0, MAX_RESOURCES))];
      const taskIds = [...new Set(namedTasks.slice(0, MAX_TASKS))];
      const over = rpcResultText(id, completedResult("{}", info, { [ID]: id }));
      const tell = (method: string, params: McpObject = {}) =>
        notify(rpcNotificationText(method, { _meta: { [ID]: id }, ...params }));
      const confirm = (resources: readonly string[], tasks: readonly string[]) =>
        tell("notifications/subscriptions/acknowledged", {
          notifications: {
            ...Object.fromEntries(honoured.map((name) => [name, true])),
            ...(resources.length > 0 && { resourceSubscriptions: resources }),
            ...(tasks.length > 0 && { taskIds: tasks }),
          },
        });
      // Without anything to listen for, no notification could follow.
      if (honoured.length === 0 && uris.length === 0 && taskIds.length === 0) {
        confirm([], []);
        return over;
      }

      return new Promise((done) => {
        const { signal } = abort;
        const settle = (text: string | undefined) => {
          if (!live.delete(subscription)) return;
          if (running?.get(id) === abort) running.delete(id);
          if (uris.length > 0) options.left(subscription);
          tasks.end();
          done(text);
        };
        /** Updates from before the confirmation, which must be the first message. */
        let early: Set<string> | undefined = new Set();
        const earlyTasks = new Map<unknown, McpObject>();
        const report = (uri: string) => tell("notifications/resources/updated", { uri });
        const reportTask = ({ _meta, ...task }: McpObject) => tell("notifications/tasks", task);
        const tasks = options.listenForTasks(turn, (task) => {
          if (early) earlyTasks.set(task.taskId, task);
          else reportTask(task);
        });
        const subscription: Subscription = {
          mode,
          caller,
          isAppHost: isAppHost(turn),
          wants: new Set(honoured.map((name) => CHANGES[name]!)),
          notify(method) {
            if (!early) tell(method);
          },
          updated(uri) {
            if (early) early.add(uri);
            else report(uri);
          },
          end: () => settle(over),
        };
        const begin = (resources: readonly string[], agreedTasks: readonly string[]) => {
          if (!live.has(subscription)) return;
          confirm(resources, agreedTasks);
          // The client reads the lists after the confirmation, so earlier changes need no notification.
          mark(subscription);
          const updates = early ?? [];
          early = undefined;
          for (const uri of updates) report(uri);
          for (const task of earlyTasks.values()) reportTask(task);
          if (honoured.length === 0 && resources.length === 0 && agreedTasks.length === 0) settle(over);
        };
        live.add(subscription);
        running?.set(id, abort);
        // A client that disconnected gets no response. If the proxy ended the subscription, the client gets its result.
        const aborted = () => settle(signal.reason instanceof Fault ? over : undefined);
        if (signal.aborted) return aborted();
        signal.addEventListener("abort", aborted, { once: true });
        if (uris.length === 0 && taskIds.length === 0) return begin([], []);
        const subscribe = (uri: string) => options.subscribe(subscription, uri, signal);
        const unsubscribe = (uri: string) => options.unsubscribe(subscription, uri);
        void Promise.all([
          subscribeAll(uris, subscribe, unsubscribe),
          subscribeAll(taskIds, tasks.follow, tasks.giveUp),
        ]).then(([resources, agreedTasks]) => begin(resources, agreedTasks));
      });
    },
  };
}
