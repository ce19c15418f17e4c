import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { Caller } from "../schema/caller.ts";
import { ownerKey } from "../schema/caller.ts";
import { type McpObject, META_PREFIX, RPC, type RpcId } from "../schema/mcp.ts";
import type { RequestContext } from "./request-context.ts";
import { completedResult, type ServerInfo } from "./result.ts";
import { invalidParams, rpcErrorText, rpcNotificationText, rpcResultText } from "./rpc.ts";
import type { ListReader, ToolLists } from "./tool-lists.ts";

/** One client of the 2026 era that listens for changes of its lists: a request that stays open. */
interface Subscription extends ListReader {
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

/** Each holds a connection. One caller may take half of the places, so that there are some for others. */
const MAX_SUBSCRIPTIONS = 1000;

/** What can be listened for, and the notification of it. */
const CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
};

const ID = `${META_PREFIX}subscriptionId`;

/** @param mark takes the tool list as it is now for the one that somebody knows */
export function createSubscriptions(
  mark: ToolLists["mark"],
  serverInfo: ServerInfo,
  most = MAX_SUBSCRIPTIONS,
): Subscriptions {
  const live = new Set<Subscription>();
  const held = (caller: Caller) => {
    let count = 0;
    for (const one of live) if (ownerKey(one.caller) === ownerKey(caller)) count++;
    return count;
  };

  return {
    all: () => live,
    listen(turn, id, { notifications }) {
      const { notify, abort, mode, running } = turn;
      const { caller } = turn.requester;
      if (!isJsonObject(notifications)) return rpcErrorText(id, invalidParams("notifications must be an object"));
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
      const over = rpcResultText(id, completedResult("{}", serverInfo, { [ID]: id }));
      const tell = (method: string, params: McpObject = {}) =>
        notify(rpcNotificationText(method, { _meta: { [ID]: id }, ...params }));
      tell("notifications/subscriptions/acknowledged", {
        notifications: Object.fromEntries(honoured.map((name) => [name, true])),
      });
      // Nothing could ever come.
      if (honoured.length === 0) return over;
      const wants = new Set(honoured.map((name) => CHANGES[name]!));

      return new Promise((done) => {
        const { signal } = abort;
        const settle = (text: string | undefined) => {
          if (!live.delete(subscription)) return;
          if (running?.get(id) === abort) running.delete(id);
          done(text);
        };
        const subscription: Subscription = { mode, caller, wants, notify: tell, end: () => settle(over) };
        mark(subscription);
        live.add(subscription);
        running?.set(id, abort);
        // Whoever left is told nothing; when it was us, that it is over.
        const aborted = () => settle(signal.reason instanceof Fault ? over : undefined);
        if (signal.aborted) aborted();
        else signal.addEventListener("abort", aborted, { once: true });
      });
    },
  };
}
