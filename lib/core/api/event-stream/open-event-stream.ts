import { type App, part } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { createPermits } from "../../base/permits.ts";
import { eventHistory } from "../../extension/event-history.ts";
import { isServerHidden } from "../../policy/hidden.ts";
import { type Caller, ownerKey } from "../../schema/caller.ts";
import type { EventOf } from "../../schema/event.ts";
import { serverReview } from "../../verbs/servers/review.ts";
import { currentCaller } from "../../verbs/tokens/current-caller.ts";
import { createChangeGatherer, type GatheredChanges } from "./change-gatherer.ts";
import { type EventFilter, isChangeWanted, isEventWanted } from "./event-filter.ts";
import { datedPayload, eventFrame, pingFrame } from "./frame.ts";
import { helloFrames } from "./hello.ts";
import { narrowEvent } from "./narrow-event.ts";
import { startPosition } from "./position.ts";
import { changesServers, type ServersForm, serversPayload } from "./servers.ts";
import { streamedPayload } from "./streamed-payload.ts";

interface EventStreamOptions {
  /** The id of the last event that the reader received. */
  lastEventId?: string | undefined;
  /** Whether `servers.changed` contains the records of all servers or only those that changed. */
  servers?: ServersForm;
  filter?: EventFilter;
}

/** One reader's stream of events. Text is made only when the reader requests it. */
interface EventStream {
  /** Resolves with the next events as text; undefined at the end. Call it again only after it has resolved. */
  next(): Promise<string | undefined>;
  /** Call when the reader has disconnected. */
  close(): void;
}

/**
 * Maximum number of streams of one agent token, and of one user of the multi-user edition in all browsers and agents. Of
 * an administrator with the API key there is no such limit.
 */
const MAX_PER_HOLDER = 20;

/** Interval of heartbeats, so that neither side nor an intermediary closes an idle stream. (ms) */
const HEARTBEAT_MS = 30_000;
/** Approximate size of one piece of output. (characters) */
const PIECE = 64 * 1024;

/**
 * Opens a stream for one caller (spec 000 §6). It begins with the events from now on, or after the last event that a
 * returning reader received.
 *
 * Events wait in the shared buffer of the bus, so a slow reader needs no memory; a reader that falls behind the buffer
 * gets a `gap` event. Changes of servers are combined and sent as the current list. The stream ends with the agent
 * token or the sign-in that opened it.
 *
 * A filter omits events that the reader does not want; `status`, `ping` and `gap` are always sent.
 *
 * @param options.lastEventId id of the last event that the reader received
 * @throws Fault too_many_streams
 */
export function openEventStream(
  app: App,
  caller: Caller,
  { lastEventId, servers = "all", filter = {} }: EventStreamOptions = {},
): EventStream {
  const { clock } = app;
  const history = app.part(eventHistory);
  const leave = place(app, caller);
  const from = startPosition(history, lastEventId);
  let cursor = from.after;
  let opened = false;
  let beat = false;
  let over = false;
  let reader = caller;
  let wake = () => {};
  const gathering = createChangeGatherer(clock, () => wake());
  const stopListening = history.subscribe(() => wake());
  const stopMinding = app.store.tokens.onChange((name) => {
    if (caller.tier === "agent" && name === caller.name) close();
  });
  const stopMindingSignIn = app.store.signIns.onEnd(() => wake());
  // Streams of other users are woken as well. That takes little time, and users rarely change.
  const stopMindingUsers = [app.store.users.onChange(() => wake()), app.store.userSessions.onEnd(() => wake())];
  const stopBeating = clock.every(HEARTBEAT_MS, () => {
    beat = true;
    wake();
  });

  const id = () => history.positionId(cursor);

  const opening = (): string => {
    opened = true;
    const text = helloFrames(app, reader, id());
    if (lastEventId === undefined || lastEventId === "") return text;
    // A returning reader does not get the past changes of servers, but the current list.
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

  const render = (event: EventOf): string => {
    const narrowed = narrowEvent(event, reader, (server) => isServerHidden(serverReview(app, server), reader));
    if (!narrowed) return "";
    if (narrowed.form === "servers") {
      // The filter uses the original event, because the narrowed one has no name if the server is out of scope.
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
    if (cursor > history.last) {
      // The history went back, as after a restored backup.
      cursor = history.last;
      return gap("unknown_id");
    }
    const lost = history.first - 1 - cursor;
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
    const { farewell } = history;
    let isLast = false;
    text += skipLost();
    while (text.length < PIECE && cursor < history.last && !isLast) {
      text += skipLost();
      const event = history.eventAt(++cursor);
      isLast = event !== undefined && event === farewell;
      if (event?.kind === "omitted") text += gap("expired", event.count);
      else if (event && !isLast) text += render(event);
    }
    if (farewell && (isLast || cursor >= history.last)) {
      // This is the last event of the process, so the collected changes are sent first.
      over = true;
      return text + serversFrame(gathering.take({ now: true })) + render(farewell);
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

/** Maximum number of concurrent event streams (spec 000 §8). */
const MAX_STREAMS = 100;
/** How many of them callers other than administrators can have together. */
const MAX_OTHERS = 80;

/** The open event streams, those of callers other than administrators, and their number per user or agent token. */
export const eventStreams = part("eventStreams", () => ({
  slots: createPermits(MAX_STREAMS),
  others: createPermits(MAX_OTHERS),
  byHolder: new Map<string, number>(),
}));

/**
 * Takes a slot for a stream. Neither one user or agent token nor all of them together can take all slots, so that an
 * administrator always gets one.
 *
 * @returns a function that frees the slot
 * @throws Fault too_many_streams
 */
function place(app: Pick<App, "part">, caller: Caller): () => void {
  const full = (limit: number) => new Fault("too_many_streams", { limit, retryAfterMs: 5000 });
  const { slots, others, byHolder: counts } = app.part(eventStreams);
  const holder = holderOf(caller);
  const ownCount = (holder !== undefined && counts.get(holder)) || 0;
  if (ownCount >= MAX_PER_HOLDER) throw full(MAX_PER_HOLDER);
  const leaveOthers = caller.tier === "admin" ? () => {} : others.take();
  if (!leaveOthers) throw full(others.limit);
  const leaveSlots = slots.take();
  if (!leaveSlots) {
    leaveOthers();
    throw full(slots.limit);
  }
  if (holder !== undefined) counts.set(holder, ownCount + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    leaveSlots();
    leaveOthers();
    if (holder === undefined) return;
    const left = (counts.get(holder) ?? 1) - 1;
    if (left > 0) counts.set(holder, left);
    else counts.delete(holder);
  };
}

/** Returns whose streams are counted together; undefined for an administrator who is no user. */
function holderOf(caller: Caller): string | undefined {
  const { user, tier } = caller;
  return user ? `user:${user.id}` : tier === "admin" ? undefined : ownerKey(caller);
}
