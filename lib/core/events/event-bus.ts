import type { Clock } from "../base/clock.ts";
import type { EventKind, EventOf, Events } from "../schema/event.ts";

/** What happened, told to whoever listens now, and kept a while for who was away. A listener that throws disturbs nobody. */
export interface EventBus {
  /** @param user whose doing it is, in the multi-user edition: what one person does is no other's to hear of */
  publish<K extends EventKind>(kind: K, data: Events[K], user?: string): void;
  subscribe(listener: (event: EventOf) => void): () => void;
  /** Events are numbered from 1: number of the oldest that is kept, and of the latest; 1 and 0 before there is any. */
  readonly first: number;
  readonly last: number;
  /** The event of this number, while it is kept. */
  eventAt(number: number): EventOf | undefined;
}

/** How many events are kept. */
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
