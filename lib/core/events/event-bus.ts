import type { Clock } from "../base/clock.ts";
import type { EventKind, EventOf, Events } from "../schema/event.ts";

/**
 * Publishes events to subscribers and keeps recent events for replay. If a subscriber throws, the others are not
 * affected.
 */
export interface EventBus {
  /** @param user id of the user who caused the event, in the multi-user edition; other users do not receive it */
  publish<K extends EventKind>(kind: K, data: Events[K], user?: string): void;
  /**
   * Calls `listener` with each event from now on, or only with events of the given kinds. Each tool call publishes two
   * events, so give `kinds` if you need only a few.
   *
   * @returns a function that ends it
   */
  subscribe(listener: (event: EventOf) => void): () => void;
  subscribe<K extends EventKind>(kinds: readonly K[], listener: (event: EventOf<K>) => void): () => void;
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

type Listener = (event: EventOf) => void;

interface Subscription {
  /** Undefined for all kinds. */
  readonly kinds: readonly EventKind[] | undefined;
  readonly listener: Listener;
  hasEnded: boolean;
}

/** @param onError gets the errors of subscribers, which do not reach the publisher */
export function createEventBus(clock: Clock, onError: (error: unknown) => void): EventBus {
  const subscriptions = new Set<Subscription>();
  /** The subscriptions of the kinds that were published since the last change of `subscriptions`. */
  const byKind = new Map<EventKind, readonly Subscription[]>();
  const ring = new Array<EventOf | undefined>(MAX_KEPT_EVENTS).fill(undefined);
  let last = 0;
  return {
    publish(kind, data, user) {
      // All listeners get the same object, so they must not change it.
      const event = { kind, at: clock.now(), data, user } as unknown as EventOf;
      last++;
      ring[last % MAX_KEPT_EVENTS] = event;
      let receivers = byKind.get(kind);
      if (!receivers) {
        receivers = [...subscriptions].filter(({ kinds }) => kinds === undefined || kinds.includes(kind));
        byKind.set(kind, receivers);
      }
      for (let i = 0; i < receivers.length; i++) {
        const receiver = receivers[i]!;
        // A listener that was called before may have ended this subscription.
        if (receiver.hasEnded) continue;
        try {
          receiver.listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(first: readonly EventKind[] | Listener, second?: Listener) {
      const [kinds, listener] = typeof first === "function" ? [undefined, first] : [first, second!];
      const subscription = { kinds, listener, hasEnded: false };
      subscriptions.add(subscription);
      byKind.clear();
      return () => {
        subscription.hasEnded = true;
        subscriptions.delete(subscription);
        byKind.clear();
      };
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
