import type { App } from "../app.ts";
import type { EventKind } from "../schema/event.ts";
import { rpcNotificationText } from "./rpc.ts";
import type { McpSessions } from "./sessions.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { ListReader, ToolLists } from "./tool-lists.ts";

/** Events after which a tool list may read differently. */
const MOVES_LISTS: ReadonlySet<EventKind> = new Set<EventKind>([
  "tools.indexed",
  "tools.changed",
  "servers.changed",
  "config.reloaded",
  "config.saved",
]);

/** Changes come in bursts: a server that connects, a hundred approvals (ms). */
const SETTLE_MS = 100;

const CHANGED = "notifications/tools/list_changed";
const CHANGED_TEXT = rpcNotificationText(CHANGED);

/**
 * Tells each listening client when its own tool list has really changed: the lists are compared, so a reconnect that
 * brought the same tools is not news.
 */
export function createListChangeNotifier(
  app: Pick<App, "clock" | "events" | "log">,
  lists: ToolLists,
  sessions: Pick<McpSessions, "all">,
  subscriptions: Pick<Subscriptions, "all">,
): { close(): void } {
  let cancel: (() => void) | undefined;
  let isBusy = false;
  let isClosed = false;

  /** Whether a reader's list is another one than it knows; then it knows the new one. */
  const isNews = async (reader: ListReader) => {
    const tag = await lists.tagOf(reader.mode, reader.caller);
    if (isClosed || tag === reader.knownTag) return false;
    reader.knownTag = tag;
    return true;
  };

  const announce = async () => {
    for (const session of [...sessions.all()])
      if (session.outlets.length > 0 && (await isNews(session))) session.outlets.at(-1)?.send(CHANGED_TEXT);
    for (const subscription of [...subscriptions.all()]) if (await isNews(subscription)) subscription.notify(CHANGED);
  };

  /** One announcement at a time, so that none compares with a list that is older than what the reader knows. */
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
  const unsubscribe = app.events.subscribe(({ kind }) => {
    if (MOVES_LISTS.has(kind)) plan();
  });

  return {
    close() {
      isClosed = true;
      unsubscribe();
      cancel?.();
    },
  };
}
