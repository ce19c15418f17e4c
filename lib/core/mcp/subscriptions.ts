import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { ResourceSubscriber } from "../gateway/resource-subscriptions.ts";
import type { Caller } from "../schema/caller.ts";
import { ownerKey } from "../schema/caller.ts";
import { type McpObject, META_PREFIX, RPC, type RpcId } from "../schema/mcp.ts";
import { isAppHost } from "./app-host.ts";
import type { RequestContext } from "./request-context.ts";
import { completedResult, type ServerInfo } from "./result.ts";
import { invalidParams, rpcErrorText, rpcNotificationText, rpcResultText } from "./rpc.ts";
import type { ListReader, ToolLists } from "./tool-lists.ts";

/** One client of the 2026 family that listens for changes of its lists and resources: a request that stays open. */
interface Subscription extends ListReader, ResourceSubscriber {
  notify(method: string): void;
  /** Ends it with a word. */
  end(): void;
}

/** The method `subscriptions/listen` (2026-07-28). */
export interface Subscriptions {
  /** Confirms first, then stays until it is cancelled (undefined), or is ended from here (the response that says so). */
  listen(turn: RequestContext, id: RpcId, params: McpObject): Promise<string | undefined> | string;
  all(): Iterable<Subscription>;
}

interface SubscriptionsOptions {
  readonly clock: Clock;
  readonly info: ServerInfo;
  /** Takes the lists as they are now for those that somebody knows. */
  readonly mark: ToolLists["mark"];
  /** Subscribes to a resource by the URI that the client wrote. @throws Fault, RpcError */
  subscribe(client: ResourceSubscriber, uri: string, signal: AbortSignal): Promise<void>;
  unsubscribe(client: ResourceSubscriber, uri: string): void;
  /** The client listens to no resource any more. */
  left(client: ResourceSubscriber): void;
  /** Most subscriptions at once. */
  readonly most?: number;
}

/** Each holds a connection. One caller may take half of the places, so that there are some for others. */
const MAX_SUBSCRIPTIONS = 1000;

/** Resources in one request; what goes beyond is not confirmed. */
const MAX_RESOURCES = 256;
/** How long the confirmation waits for servers. (ms) */
const CONFIRM_MS = 2000;

/** What can be listened for, and the notification of it. */
const CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
};

const ID = `${META_PREFIX}subscriptionId`;

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { clock, info, mark, most = MAX_SUBSCRIPTIONS } = options;
  const live = new Set<Subscription>();
  const held = (caller: Caller) => {
    let count = 0;
    for (const one of live) if (ownerKey(one.caller) === ownerKey(caller)) count++;
    return count;
  };

  /** The resources whose servers agreed in time; the others are given up. */
  const subscribeAll = async (client: ResourceSubscriber, uris: readonly string[], signal: AbortSignal) => {
    const agreed = new Set<string>();
    const all = uris.map((uri) => options.subscribe(client, uri, signal).then(() => agreed.add(uri)));
    let stopWait = () => {};
    const late = new Promise<void>((done) => {
      stopWait = clock.after(CONFIRM_MS, done);
    });
    await Promise.race([Promise.allSettled(all), late]);
    stopWait();
    const honoured = uris.filter((uri) => agreed.has(uri));
    for (const uri of uris) if (!agreed.has(uri)) options.unsubscribe(client, uri);
    return honoured;
  };

  return {
    all: () => live,
    listen(turn, id, { notifications }) {
      const { notify, abort, mode, running } = turn;
      const { caller } = turn.requester;
      if (!isJsonObject(notifications)) return rpcErrorText(id, invalidParams("notifications must be an object"));
      const { resourceSubscriptions: named = [] } = notifications;
      if (!Array.isArray(named) || named.some((uri) => typeof uri !== "string"))
        return rpcErrorText(id, invalidParams("notifications.resourceSubscriptions must be an array of URIs"));
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
      const uris = [...new Set<string>(named.slice(0, MAX_RESOURCES))];
      const over = rpcResultText(id, completedResult("{}", info, { [ID]: id }));
      const tell = (method: string, params: McpObject = {}) =>
        notify(rpcNotificationText(method, { _meta: { [ID]: id }, ...params }));
      const confirm = (resources: readonly string[]) =>
        tell("notifications/subscriptions/acknowledged", {
          notifications: {
            ...Object.fromEntries(honoured.map((name) => [name, true])),
            ...(resources.length > 0 && { resourceSubscriptions: resources }),
          },
        });
      // Nothing could ever come.
      if (honoured.length === 0 && uris.length === 0) {
        confirm([]);
        return over;
      }

      return new Promise((done) => {
        const { signal } = abort;
        const settle = (text: string | undefined) => {
          if (!live.delete(subscription)) return;
          if (running?.get(id) === abort) running.delete(id);
          if (uris.length > 0) options.left(subscription);
          done(text);
        };
        /** Updates that came before the confirmation, which has to be the first message. */
        let early: Set<string> | undefined = new Set();
        const report = (uri: string) => tell("notifications/resources/updated", { uri });
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
        const begin = (resources: readonly string[]) => {
          if (!live.has(subscription)) return;
          confirm(resources);
          // What changed before this moment, the client reads anyway.
          mark(subscription);
          const updates = early ?? [];
          early = undefined;
          for (const uri of updates) report(uri);
          if (honoured.length === 0 && resources.length === 0) settle(over);
        };
        live.add(subscription);
        running?.set(id, abort);
        // A client that left gets no answer; if the proxy ended the subscription, the client gets its result.
        const aborted = () => settle(signal.reason instanceof Fault ? over : undefined);
        if (signal.aborted) return aborted();
        signal.addEventListener("abort", aborted, { once: true });
        if (uris.length === 0) begin([]);
        else void subscribeAll(subscription, uris, signal).then(begin);
      });
    },
  };
}
