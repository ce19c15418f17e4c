import type { Clock } from "../core/base/clock.ts";
import { Fault, reasonOf } from "../core/base/fault.ts";
import { EventStreamReader } from "../core/upstream/http/event-stream-reader.ts";
import type { Stream } from "./stream.ts";

/** One frame of the event stream. */
export interface ReceivedEvent {
  event: string;
  id: string;
  /** The JSON value of the frame, not validated. */
  data: unknown;
}

interface FollowOptions {
  stream: Stream;
  signal: AbortSignal;
  /** Event types or prefixes of types; by default all. */
  types?: readonly string[];
  clock: Pick<Clock, "sleep">;
  /** Called when the connection is lost; the client reconnects. */
  onLost(reason: string): void;
}

/** Delay before reconnecting, unless the proxy sends one (ms). */
const RETRY_MS = 5000;

/**
 * Returns the events of a proxy from now on, without end. A lost connection is opened again and continues after the
 * last event. Throws the errors of the first connection, and errors that a retry cannot solve.
 */
export async function* events({ stream, signal, types, clock, onLost }: FollowOptions): AsyncGenerator<ReceivedEvent> {
  let lastEventId: string | undefined;
  let retryMs = RETRY_MS;
  let connected = false;
  for (;;) {
    const received: ReceivedEvent[] = [];
    const reader = new EventStreamReader({
      event: (event, data) => void received.push({ event, id: reader.lastEventId ?? "", data: JSON.parse(data) }),
      tooLong: () => {},
    });
    try {
      const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
      for await (const piece of stream(
        "GET /events",
        { query: { types: types?.join(","), servers: "changed" } },
        { signal, headers },
      )) {
        connected = true;
        reader.feed(piece);
        yield* received.splice(0);
        lastEventId = reader.lastEventId ?? lastEventId;
        retryMs = reader.retryMs ?? retryMs;
      }
      onLost("the stream ended");
    } catch (error) {
      if (!connected || !(error instanceof Fault)) throw error;
      onLost(reasonOf(error));
    }
    await clock.sleep(retryMs, signal);
  }
}
