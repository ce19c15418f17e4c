import type { Clock } from "../base/clock.ts";
import type { EventKind, EventOf, Events } from "../schema/event.ts";

/**
 * Publishes events to subscribers and keeps recent events for replay. If a subscriber throws, the others are not
 * affected.
 */
export interface EventBus {
  /** @param user id of the user who caused the event, in the multi-user edition; other users do not receive it */
  publish<K extends EventKind>(kind: K, data: Events[K], user?: string): void;
  subscribe(listener: (event: EventOf) => void): () => void;
  /**
   * The numbers of the oldest stored event and of the latest. Events are counted from 1; before the first event the
   * numbers are 1 and 0.
   */
  readonly first: number;
  readonly last: number;
  /** Returns the event with this number; undefined if it is no longer stored. */
  eventAt(number: number): EventOf | undefined;
}

/** Number of events that are kept for replay. */
export const MAX_KEPT_EVENTS = 2048;

/** @param onError gets the errors of subscribers, which do not reach the publisher */
export function createEventBus(clock: Clock, onError: (error: unknown) => void): EventBus {
  const listeners = new Set<(event: EventOf) => void>();
  const ring = new Array<EventOf | undefined>(MAX_KEPT_EVENTS).fill(undefined);
  let last = 0;
  return {
    publish(kind, data, user) {
      // All listeners get the same object, so they must not change it.
      const event = { kind, at: clock.now(), data, user } as unknown as EventOf;
      last++;
      ring[last % MAX_KEPT_EVENTS] = event;
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
      number > last - MAX_KEPT_EVENTS && number <= last ? ring[number % MAX_KEPT_EVENTS] : undefined,
  };
}
