import type { Clock } from "../base/clock.ts";
import type { EventKind, EventOf, Events } from "../schema/event.ts";

/** Publishes events to subscribers and keeps recent ones for replay. A throwing subscriber affects no other. */
export interface EventBus {
  /** @param user the user who caused it, in the multi-user edition: other users do not receive it */
  publish<K extends EventKind>(kind: K, data: Events[K], user?: string): void;
  subscribe(listener: (event: EventOf) => void): () => void;
  /** Numbers of the oldest kept event and of the latest, counted from 1; 1 and 0 before the first event. */
  readonly first: number;
  readonly last: number;
  /** The event with this number; undefined if it is no longer kept. */
  eventAt(number: number): EventOf | undefined;
}

/** Number of events that are kept for replay. */
export const MAX_KEPT_EVENTS = 2048;

export function createEventBus(clock: Clock, onError: (error: unknown) => void): EventBus {
  const listeners = new Set<(event: EventOf) => void>();
  const kept = new Array<EventOf | undefined>(MAX_KEPT_EVENTS).fill(undefined);
  let last = 0;
  return {
    publish(kind, data, user) {
      // One event object, shared: listeners must not change it.
      const event = { kind, at: clock.now(), data, user } as unknown as EventOf;
      last++;
      kept[last % MAX_KEPT_EVENTS] = event;
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get first() {
      return Math.max(1, last - MAX_KEPT_EVENTS + 1);
    },
    get last() {
      return last;
    },
    eventAt: (number) =>
      number > last - MAX_KEPT_EVENTS && number <= last ? kept[number % MAX_KEPT_EVENTS] : undefined,
  };
}
