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
  clock: Pick<Clock, "after" | "sleep">;
  /** Called when the connection is lost; the client reconnects. */
  onLost(reason: string): void;
}

const ROUTE = "GET /events";
/** Delay before reconnecting, unless the proxy sends one (ms). */
const RETRY_MS = 5000;
/** The proxy sends a heartbeat every 30 s; after this silence the connection counts as lost (ms). */
const SILENCE_MS = 100_000;

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
    const silence = new AbortController();
    const silent = () => silence.abort();
    let stopTimer = clock.after(SILENCE_MS, silent);
    try {
      const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
      for await (const piece of stream(
        ROUTE,
        { query: { types: types?.join(","), servers: "changed" } },
        { signal: AbortSignal.any([signal, silence.signal]), headers },
      )) {
        stopTimer();
        connected = true;
        reader.feed(piece);
        yield* received.splice(0);
        lastEventId = reader.lastEventId ?? lastEventId;
        retryMs = reader.retryMs ?? retryMs;
        stopTimer = clock.after(SILENCE_MS, silent);
      }
      onLost("the stream ended");
    } catch (error) {
      const isSilent = silence.signal.aborted;
      if (!connected) throw isSilent ? new Fault("client_timeout", { route: ROUTE, ms: SILENCE_MS }) : error;
      if (!isSilent && !(error instanceof Fault)) throw error;
      onLost(isSilent ? "the proxy has sent nothing for a while" : reasonOf(error));
    } finally {
      stopTimer();
    }
    await clock.sleep(retryMs, signal);
  }
}
