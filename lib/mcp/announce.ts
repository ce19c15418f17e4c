import type { App } from "../app.ts";
import { reasonOf } from "../base/fault.ts";
import type { EventKind } from "../shape/event.ts";
import type { ToolLists } from "./list.ts";
import { notificationText } from "./rpc.ts";
import type { Sessions } from "./sessions.ts";
import type { Subscriptions } from "./subscriptions.ts";

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
const CHANGED_TEXT = notificationText(CHANGED);

/**
 * Tells each listening client when its own tool list has really changed: the lists are compared, so a reconnect that
 * brought the same tools is not news.
 */
export function createAnnouncer(
  app: Pick<App, "clock" | "events" | "log">,
  lists: ToolLists,
  sessions: Pick<Sessions, "all">,
  subscriptions: Pick<Subscriptions, "all">,
): { close(): void } {
  let cancel: (() => void) | undefined;

  const announce = () => {
    cancel = undefined;
    for (const session of sessions.all()) {
      const outlet = session.outlets.at(-1);
      if (!outlet) continue;
      const { tag } = lists.of(session.mode, session.caller);
      if (tag === session.listed) continue;
      session.listed = tag;
      outlet.send(CHANGED_TEXT);
    }
    for (const subscription of subscriptions.all()) {
      const { tag } = lists.of(subscription.mode, subscription.caller);
      if (tag === subscription.listed) continue;
      subscription.listed = tag;
      subscription.notify(CHANGED);
    }
  };

  const settled = () => {
    try {
      announce();
    } catch (error) {
      app.log.error("telling clients of changed tools failed", { reason: reasonOf(error) });
    }
  };
  const unsubscribe = app.events.subscribe(({ kind }) => {
    if (MOVES_LISTS.has(kind)) cancel ??= app.clock.after(SETTLE_MS, settled);
  });

  return {
    close() {
      unsubscribe();
      cancel?.();
    },
  };
}
