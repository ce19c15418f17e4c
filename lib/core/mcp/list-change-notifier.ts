import type { App } from "../app.ts";
import type { EventKind } from "../schema/event.ts";
import { LISTED_KINDS, type ListedKind } from "../schema/item.ts";
import { rpcNotificationText } from "./rpc.ts";
import type { McpSessions } from "./sessions.ts";
import { shownItems } from "./shown-items.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { ListReader, ToolLists } from "./tool-lists.ts";

/** Events after which a list of tools may have changed. */
const MOVES_LISTS: readonly EventKind[] = [
  "tools.indexed",
  "tools.changed",
  "items.changed",
  "servers.changed",
  "config.reloaded",
  "config.saved",
];

/** Changes within this time are combined, for example when a server connects or many tools are approved (ms). */
const SETTLE_MS = 100;

const TOOLS_CHANGED = "notifications/tools/list_changed";

/** Resources and templates are two lists with the same notification. */
const ITEMS_CHANGED: Readonly<Record<ListedKind, string>> = {
  prompt: "notifications/prompts/list_changed",
  resource: "notifications/resources/list_changed",
  template: "notifications/resources/list_changed",
};

/** The notifications of all lists. */
export const LIST_CHANGES: readonly string[] = [TOOLS_CHANGED, ...new Set(Object.values(ITEMS_CHANGED))];

/**
 * Notifies each listening client when one of its lists has changed. Lists are compared by their tags, so that a
 * reconnect which brought the same tools causes no notification.
 */
export function createListChangeNotifier(
  app: App,
  lists: ToolLists,
  sessions: Pick<McpSessions, "all">,
  subscriptions: Pick<Subscriptions, "all">,
): { close(): void } {
  let cancel: (() => void) | undefined;
  let isBusy = false;
  let isClosed = false;

  /** Returns the notifications for a reader whose known lists are outdated, and records the current lists as known. */
  const newsFor = async (reader: ListReader): Promise<string[]> => {
    const due = new Set<string>();
    const tag = await lists.tagOf(reader);
    if (tag !== reader.knownTag) due.add(TOOLS_CHANGED);
    reader.knownTag = tag;
    for (const kind of LISTED_KINDS) {
      const { tag: current } = await shownItems(app, reader.caller, kind);
      if (current !== reader.knownItems?.[kind]) due.add(ITEMS_CHANGED[kind]);
      reader.knownItems = { ...reader.knownItems, [kind]: current };
    }
    return isClosed ? [] : [...due].filter((method) => reader.wants?.has(method) ?? true);
  };

  const announce = async () => {
    for (const session of [...sessions.all()]) {
      if (session.outlets.length === 0) continue;
      for (const method of await newsFor(session)) session.outlets.at(-1)?.send(rpcNotificationText(method));
    }
    for (const subscription of [...subscriptions.all()])
      for (const method of await newsFor(subscription)) subscription.notify(method);
  };

  /**
   * Schedules one round of notifications; only one runs at a time, so that no reader is compared with an outdated list.
   */
  const plan = () => {
    cancel ??= app.clock.after(SETTLE_MS, () => {
      cancel = undefined;
      if (isBusy) return plan();
      isBusy = true;
      const done = announce().finally(() => {
        isBusy = false;
      });
      app.log.catch("notifying clients of changed tools", done);
    });
  };
  const unsubscribe = app.events.subscribe(MOVES_LISTS, plan);

  return {
    close() {
      isClosed = true;
      unsubscribe();
      cancel?.();
    },
  };
}
