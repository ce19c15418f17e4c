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
  /** Kinds of events, or their beginnings; all unless given. */
  types?: readonly string[];
  clock: Pick<Clock, "sleep">;
  /** Told when the connection is lost; it is tried again. */
  onLost(reason: string): void;
}

/** When the proxy does not say how long to wait before coming back. (ms) */
const RETRY_MS = 5000;

/**
 * What happens in a proxy, from now on, without end: a lost connection is made again and goes on where it was. Throws
 * what the first connection throws, and what cannot be mended by waiting.
 */
export async function* events({ stream, signal, types, clock, onLost }: FollowOptions): AsyncGenerator<ReceivedEvent> {
  let lastEventId: string | undefined;
  let retryMs = RETRY_MS;
  let connected = false;
  for (;;) {
    const heard: ReceivedEvent[] = [];
    const reader = new EventStreamReader({
      event: (event, data) => void heard.push({ event, id: reader.lastEventId ?? "", data: JSON.parse(data) }),
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
        yield* heard.splice(0);
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
