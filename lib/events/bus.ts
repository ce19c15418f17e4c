import type { Clock } from "../base/clock.ts";
import type { EventKind, EventOf, Events } from "../shape/event.ts";

/** What happened, told to whoever listens now. Nothing is kept; a listener that throws disturbs nobody. */
export interface Bus {
  publish<K extends EventKind>(kind: K, data: Events[K]): void;
  subscribe(listener: (event: EventOf) => void): () => void;
}

export function createBus(clock: Clock, onError: (error: unknown) => void): Bus {
  const listeners = new Set<(event: EventOf) => void>();
  return {
    publish(kind, data) {
      // One event object, shared: listeners must not change it.
      const event = { kind, at: clock.now(), data } as unknown as EventOf;
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
  };
}
