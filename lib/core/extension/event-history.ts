import { type App, part } from "../app.ts";
import type { EventOf } from "../schema/event.ts";
import { replicaSharing } from "./replica-sharing.ts";

/** Events of a replica that were too many to be shared. */
export interface OmittedEvents {
  readonly kind: "omitted";
  readonly count: number;
}

/**
 * The recent events by number, for readers that return: those of this process or, if there are replicas, of all of them
 * in one order, so that a reader may return to another replica.
 */
export interface EventHistory {
  /** The numbers of the oldest stored event and of the latest. */
  readonly first: number;
  readonly last: number;
  /** Returns the event with this number; undefined if it is no longer stored. */
  eventAt(number: number): EventOf | OmittedEvents | undefined;
  /** Names the position after the event with this number. A position of another history has another name. */
  positionId(number: number): string;
  /** The event after which streams end, because the process stops. It may have no number. */
  readonly farewell: EventOf | undefined;
  /** Calls `listener` when there are new events. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
}

export const eventHistory = part<EventHistory>(
  "eventHistory",
  (app) => app.part(replicaSharing)?.events ?? ownHistory(app),
);

function ownHistory({ boot, events }: Pick<App, "boot" | "events">): EventHistory {
  let farewell: EventOf | undefined;
  events.subscribe((event) => {
    if (event.kind === "activity.system.stop") farewell = event;
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
