import type { App } from "../../../core/app.ts";
import type { EventHistory, OmittedEvents } from "../../../core/extension/replica-sharing.ts";
import type { EventKind, EventOf } from "../../../core/schema/event.ts";
import { type LogEntry, OMITTED, type SharedLog } from "./shared-log.ts";

/** Events that may come with each call, so that a replica shares only so many of them in a window. */
const FREQUENT = new Set<EventKind>([
  "activity.tool_call.started",
  "activity.tool_call.completed",
  "activity.preflight.completed",
  "server.logged",
]);
const MAX_FREQUENT = 20;
const WINDOW_MS = 100;

/** The events of all replicas in one order: what each publishes goes to the log, and streams read the log. */
export function createSharedEvents({ events, clock }: Pick<App, "events" | "clock">, log: SharedLog): EventHistory {
  const parsed = new WeakMap<LogEntry, EventOf | OmittedEvents>();
  let farewell: EventOf | undefined;
  let window = { until: 0, count: 0, omitted: 0 };

  const append = (kind: string, body: object, haste?: "unhurried") =>
    log.append({ kind, body: JSON.stringify(body) }, haste);
  const isTooMany = (kind: EventKind): boolean => {
    const now = clock.now();
    if (now >= window.until) {
      if (window.omitted > 0) append(OMITTED, { count: window.omitted });
      window = { until: now + WINDOW_MS, count: 0, omitted: 0 };
    }
    if (!FREQUENT.has(kind) || ++window.count <= MAX_FREQUENT) return false;
    window.omitted++;
    return true;
  };
  events.subscribe((event) => {
    const { kind, at, data, user } = event;
    if (kind === "activity.system.stop") farewell = event;
    // The start and the end of one replica are nothing to readers of another one.
    else if (kind !== "activity.system.start" && !isTooMany(kind))
      append(kind, { at, data, user }, FREQUENT.has(kind) ? "unhurried" : undefined);
  });

  const first = () => log.entries()[0]?.number ?? log.last + 1;
  return {
    get first() {
      return first();
    },
    get last() {
      return log.last;
    },
    eventAt(number) {
      const entry = log.entries()[number - first()];
      if (!entry) return undefined;
      // The entry was written by this program or another version of it.
      const event = parsed.get(entry) ?? { kind: entry.kind, ...(JSON.parse(entry.body) as Omit<EventOf, "kind">) };
      parsed.set(entry, event as EventOf);
      return event as EventOf;
    },
    positionId: (number) => `${log.epoch}-${number}`,
    get farewell() {
      return farewell;
    },
    subscribe(listener) {
      const stops = [log.onEntries(() => listener()), events.subscribe(["activity.system.stop"], () => listener())];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
