import { type App, part } from "../app.ts";
import type { EventOf } from "../schema/event.ts";
import { type EventHistory, replicaSharing } from "./replica-sharing.ts";

export const eventHistory = part<EventHistory>(
  "eventHistory",
  (app) => app.part(replicaSharing)?.events ?? ownHistory(app),
);

function ownHistory({ boot, events }: Pick<App, "boot" | "events">): EventHistory {
  let farewell: EventOf | undefined;
  events.subscribe(["activity.system.stop"], (event) => {
    farewell = event;
  });
  return {
    get first() {
      return events.first;
    },
    get last() {
      return events.last;
    },
    eventAt: (number) => events.eventAt(number),
    positionId: (number) => `${boot.startedAt.toString(36)}-${number}`,
    get farewell() {
      return farewell;
    },
    subscribe: (listener) => events.subscribe(() => listener()),
  };
}
