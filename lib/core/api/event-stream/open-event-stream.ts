import { type App, part } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { createPermits } from "../../base/permits.ts";
import { isServerHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import type { EventOf } from "../../schema/event.ts";
import { serverReview } from "../../verbs/servers/review.ts";
import { currentCaller } from "../../verbs/tokens/current-caller.ts";
import { createChangeGatherer, type GatheredChanges } from "./change-gatherer.ts";
import { type EventFilter, isChangeWanted, isEventWanted } from "./event-filter.ts";
import { datedPayload, eventFrame, pingFrame } from "./frame.ts";
import { helloFrames } from "./hello.ts";
import { narrowEvent } from "./narrow-event.ts";
import { positionId, startPosition } from "./position.ts";
import { changesServers, type ServersForm, serversPayload } from "./servers.ts";
import { streamedPayload } from "./streamed-payload.ts";

interface EventStreamOptions {
  /** What the reader got last. */
  lastEventId?: string | undefined;
  /** Whether `servers.changed` carries every server's record, or only those of the servers that changed. */
  servers?: ServersForm;
  filter?: EventFilter;
}

/** One reader's stream of events. Frames are made only when the reader requests them. */
interface EventStream {
  /** The next frames as text, once there are any; undefined at the end. Call it again only after it resolved. */
  next(): Promise<string | undefined>;
  /** The reader is gone. */
  close(): void;
}

/** Of one user of the multi-user edition, with all browsers and agents. */
const MAX_PER_USER = 20;

/** Heartbeat interval, so that neither side nor an intermediary closes a quiet stream. (ms) */
const HEARTBEAT_MS = 30_000;
/** Approximate size of one piece of output. (characters) */
const PIECE = 64 * 1024;

/**
 * Opens a stream for one caller (spec 000 §6): what happens from now on, or from the place a returning reader names.
 *
 * Events wait in the shared buffer of the bus, so a slow reader costs no memory; a reader that falls behind the buffer
 * gets a `gap` event. Changes of servers are sent last-write-wins, as the current list. The stream ends with the agent
 * token or the sign-in that opened it.
 *
 * A filter leaves out what the reader does not want; `status`, `ping` and `gap` always come.
 *
 * @param options.lastEventId what the reader got last
 * @throws Fault too_many_streams
 */
export function openEventStream(
  app: App,
  caller: Caller,
  { lastEventId, servers = "all", filter = {} }: EventStreamOptions = {},
): EventStream {
  const { events, clock, boot } = app;
  const leave = place(app, caller);
  const from = startPosition(app, lastEventId);
  let cursor = from.after;
  let opened = false;
  let beat = false;
  let over = false;
  let reader = caller;
  let wake = () => {};
  const gathering = createChangeGatherer(clock, () => wake());
  const stopListening = events.subscribe(() => wake());
  const stopMinding = app.store.tokens.onChange((name) => {
    if (caller.tier === "agent" && name === caller.name) close();
  });
  const stopMindingSignIn = app.store.signIns.onEnd(() => wake());
  // Whoever is somebody else's user looks anew, too; that is quickly done, and people change seldom.
  const stopMindingUsers = [app.store.users.onChange(() => wake()), app.store.userSessions.onEnd(() => wake())];
  const stopBeating = clock.every(HEARTBEAT_MS, () => {
    beat = true;
    wake();
  });

  const id = () => positionId(boot, cursor);

  const opening = (): string => {
    opened = true;
    const text = helloFrames(app, reader, id());
    if (lastEventId === undefined || lastEventId === "") return text;
    // Changes of servers are no history: who was away gets the list as it is.
    resumed();
    return from.known ? text : text + gap("unknown_id");
  };

  const resumed = () => {
    if (isChangeWanted(undefined, filter)) gathering.add({ reason: "resumed" });
  };

  const gap = (reason: "unknown_id" | "expired", lost?: number): string => {
    resumed();
    return eventFrame("gap", datedPayload({ reason, ...(lost !== undefined && { lost }) }, clock.now()), id());
  };

  const serversFrame = (gathered: GatheredChanges | undefined): string => {
    if (!gathered) return "";
    const text = eventFrame(
      "servers.changed",
      datedPayload(serversPayload(app, reader, gathered, { form: servers, only: filter.server }), clock.now()),
      id(),
    );
    gathering.sent(text.length);
    return text;
  };

  const told = (event: EventOf): string => {
    const narrowed = narrowEvent(event, reader, (server) => isServerHidden(serverReview(app, server), reader));
    if (!narrowed) return "";
    if (narrowed.form === "servers") {
      // By what happened, not by what is told of it: a change of a server out of scope is told without its name.
      if (isChangeWanted((event.data as { server?: string }).server, filter)) gathering.add(narrowed.extras);
      return "";
    }
    const moves = changesServers(event);
    if (moves && isChangeWanted(moves.server, filter)) gathering.add(moves);
    if (!isEventWanted(event, filter)) return "";
    return eventFrame(
      event.kind,
      datedPayload(narrowed.form === "classed" ? narrowed.data : streamedPayload(event), event.at),
      id(),
    );
  };

  const skipLost = (): string => {
    const lost = events.first - 1 - cursor;
    if (lost <= 0) return "";
    cursor += lost;
    return gap("expired", lost);
  };

  const take = (): string => {
    const now = currentCaller(app, caller);
    over = now === undefined;
    if (!now) return "";
    reader = now;
    let text = opened ? "" : opening();
    text += serversFrame(gathering.take());
    while (text.length < PIECE && cursor < events.last) {
      text += skipLost();
      const event = events.eventAt(cursor + 1)!;
      over = event.kind === "activity.system.stop";
      // The last thing a run tells: what is gathered does not wait any longer.
      if (over) text += serversFrame(gathering.take({ now: true }));
      cursor++;
      text += told(event);
      if (over) return text;
    }
    if (beat && text === "") text = pingFrame(clock.now(), id());
    beat = false;
    return text;
  };

  const close = () => {
    over = true;
    leave();
    stopListening();
    stopMinding();
    stopMindingSignIn();
    for (const stop of stopMindingUsers) stop();
    stopBeating();
    gathering.stop();
    wake();
  };

  return {
    async next() {
      while (!over) {
        const text = take();
        if (text !== "") return text;
        if (over) break;
        await new Promise<void>((done) => {
          wake = done;
        });
      }
      close();
      return undefined;
    },
    close,
  };
}

/** Event streams at once (spec 000 §8). */
const MAX_STREAMS = 100;

/** The open event streams, and their number per user. */
export const eventStreams = part("eventStreams", () => ({
  slots: createPermits(MAX_STREAMS),
  byUser: new Map<string, number>(),
}));

/** A place among the streams; one person cannot take them all. @returns gives it free, once @throws Fault too_many_streams */
function place(app: Pick<App, "part">, { user }: Caller): () => void {
  const full = (limit: number) => new Fault("too_many_streams", { limit, retryAfterMs: 5000 });
  const { slots, byUser: counts } = app.part(eventStreams);
  const own = (user && counts.get(user.id)) ?? 0;
  if (own >= MAX_PER_USER) throw full(MAX_PER_USER);
  const leave = slots.take();
  if (!leave) throw full(slots.limit);
  if (!user) return leave;
  counts.set(user.id, own + 1);
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    const left = (counts.get(user.id) ?? 1) - 1;
    if (left > 0) counts.set(user.id, left);
    else counts.delete(user.id);
    leave();
  };
}
