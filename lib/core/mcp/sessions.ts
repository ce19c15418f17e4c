import { randomBytes } from "node:crypto";
import type { App } from "../app.ts";
import { sessionId } from "../base/id.ts";
import { TransientMap } from "../base/transient-map.ts";
import { replicaSharing } from "../extension/replica-sharing.ts";
import { shortLivedValues } from "../extension/short-lived-values.ts";
import { logLevels } from "../gateway/log-levels.ts";
import { type ResourceSubscriber, resourceSubscriptions } from "../gateway/resource-subscriptions.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";
import type { MessageLevel } from "../schema/log-message.ts";
import type { McpObject, RpcId } from "../schema/mcp.ts";
import { sessionRecord } from "../verbs/sessions/record.ts";
import { createStatelessClients, type StatelessClients } from "../verbs/sessions/stateless.ts";
import { closeSession, restoreRecord, type TrackedSession } from "../verbs/sessions/track.ts";
import { type ClientQuestions, createClientQuestions } from "./client-questions.ts";
import type { McpMode } from "./mount.ts";
import { resourceUpdatedText } from "./rpc.ts";
import { SESSION_ID_LIFETIME_MS, type SessionHandles, sessionHandles } from "./session-handles.ts";
import type { SessionOpening } from "./session-opening.ts";
import { RELAYED, sessionRelay } from "./session-relay.ts";
import type { KnownItems } from "./tool-lists.ts";

/** Where messages that belong to no request are sent: an open GET stream, or standard output. */
export interface Outlet {
  send(text: string): void;
  /** Sends something that keeps intermediaries from closing an idle stream. */
  keepAlive(): void;
  end(): void;
}

/** The session of one client with a protocol version up to 2025-11-25, from `initialize` to its end. */
export interface McpSession extends TrackedSession, ResourceSubscriber {
  readonly id: string;
  readonly mode: McpMode;
  /** The negotiated protocol version. */
  readonly revision: string;
  /** `ownerKey` of the caller that opened the session; nobody else may use it. */
  readonly owner: string;
  /** The caller of the latest request. The scope of its token may become smaller while the session lives. */
  caller: Caller;
  lastSeenAt: number;
  /** Calls in progress, by the client's request id. */
  readonly running: TransientMap<RpcId, AbortController>;
  /** The client's capabilities to be asked. */
  readonly capabilities: McpObject;
  /** True if the client shows apps (MCP Apps). */
  readonly isAppHost?: boolean;
  /** Questions that the client has not answered yet. */
  readonly questions: ClientQuestions;
  /** Tasks whose changes are reported to the client; aborting one ends the reports. Oldest first. */
  readonly followedTasks: Set<AbortController>;
  /** Open streams, newest last. A message is sent to the newest only. */
  readonly outlets: Outlet[];
  /** Resources that were updated while the client had no open stream, by the URI that the client uses. */
  readonly missedUpdates: Set<string>;
  /** True if another replica opened it, so that its client may have missed changes of lists while it had no stream. */
  mayHaveMissedChanges?: boolean;
  /** The minimum level of log messages that the client set. */
  logLevel?: MessageLevel;
  /** Tag of the tool list that the client knows. */
  knownTag?: string;
  /** Tags of the lists of prompts, resources and resource templates that the client knows. */
  knownItems?: KnownItems;
}

/**
 * The live sessions. Their number is limited; a session ends when the client ends it, when it is idle too long, or when
 * it is the least recently used one.
 */
export interface McpSessions {
  open(opening: SessionOpening): McpSession;
  /** Like `open`; if replicas share sessions, the other replicas can restore the session from its id. */
  openShared(opening: SessionOpening): Promise<McpSession> | McpSession;
  /**
   * Restores a session of another replica, so that `find` finds it, if this is one.
   *
   * @returns undefined if there is nothing to wait for
   */
  restore(id: string, mode: McpMode, caller: Caller): Promise<void> | undefined;
  /** Returns the session with this id if it has this mode and belongs to this caller; otherwise it is unknown. */
  find(id: string, mode: McpMode, caller: Caller): McpSession | undefined;
  end(session: McpSession): void;
  /**
   * Ends a session because its client asked for it. It is not restored, at no replica.
   *
   * @throws Fault if the other replicas cannot be told
   */
  terminate(session: McpSession): Promise<void>;
  /** Ends sessions that were idle too long. A session with an open stream is not idle. */
  sweep(): void;
  all(): Iterable<McpSession>;
  /** Ends all sessions. */
  close(): void;
  readonly size: number;
  /** Clients of 2026-07-28, which has no sessions, within the same limits. */
  readonly stateless: StatelessClients;
}

export interface SessionLimits {
  /** Maximum number of sessions. */
  max: number;
  /** Maximum time without a request (ms). */
  idleMs: number;
}

/** Many clients never end their session, so both limits are needed. */
export const SESSION_LIMITS: SessionLimits = { max: 10_000, idleMs: 3_600_000 };

/** Maximum number of updates that are kept for a client without a stream. */
const MAX_MISSED = 256;

/** Number of least recently used sessions among which one without a call in progress is searched. */
const EVICTION_LOOK = 100;

/** Sessions that were ended by their clients, by their id in records; they are remembered as long as their id is valid. */
const TERMINATED = { name: "terminated MCP session", max: 1_000_000 };

export function createMcpSessions(
  app: Pick<App, "clock" | "store" | "log" | "part">,
  limits = SESSION_LIMITS,
): McpSessions {
  // Least recently used first.
  const live = new TransientMap<string, McpSession>();
  const stateless = createStatelessClients(app, limits);

  const end = (session: McpSession) => {
    if (!live.delete(session.id)) return;
    for (const call of session.running.values()) call.abort();
    for (const task of session.followedTasks) task.abort();
    session.questions.end();
    app.part(resourceSubscriptions).end(session);
    if (session.logLevel) app.part(logLevels).end(session);
    for (const outlet of session.outlets.splice(0)) outlet.end();
    closeSession(app, session);
  };

  const sharing = app.part(replicaSharing);
  const terminated = app.part(shortLivedValues)(TERMINATED);
  const begin = (opening: SessionOpening, id = sessionId(), recordId = id): McpSession => {
    if (live.size >= limits.max) end(leastUsed(live));
    const now = app.clock.now();
    const session: McpSession = {
      id,
      mode: opening.mode,
      revision: opening.revision,
      owner: ownerKey(opening.caller),
      caller: opening.caller,
      lastSeenAt: now,
      running: new TransientMap(),
      capabilities: opening.capabilities ?? {},
      isAppHost: opening.isAppHost ?? false,
      questions: createClientQuestions(id === recordId ? "" : `${randomBytes(6).toString("hex")}-`),
      followedTasks: new Set(),
      outlets: [],
      missedUpdates: new Set(),
      updated(uri) {
        const outlet = session.outlets.at(-1);
        if (outlet) outlet.send(resourceUpdatedText(uri));
        else if (session.missedUpdates.size < MAX_MISSED) session.missedUpdates.add(uri);
      },
      writtenAt: 0,
      record: sessionRecord(recordId, now, opening),
    };
    live.set(id, session);
    return session;
  };
  const openShared = async (handles: SessionHandles, opening: SessionOpening) => {
    const record = sessionId();
    return begin(opening, await handles.seal(opening, record), record);
  };
  const restore = async (handles: SessionHandles, id: string, whose: { mode: McpMode; caller: Caller }) => {
    const shared = await handles.open(id, whose);
    // While the database is away, sessions continue, as calls do.
    if (!shared || (await terminated.get(shared.record).catch(() => undefined))) return;
    // Another request may have restored it meanwhile.
    if (live.get(id)) return;
    const { record, ...opening } = shared;
    const session = begin({ ...opening, ...whose }, id, record);
    session.mayHaveMissedChanges = true;
    restoreRecord(app, session);
  };

  const relay = app.part(sessionRelay);
  const stopFollowing = sharing?.onBroadcast((message) => {
    if (message?.kind === RELAYED)
      return app.log.catch("a message of another replica", relay!.receive(message.body, live.values()));
    // If messages were lost, any session may have ended. Those that have not are restored by their next request.
    for (const session of [...live.values()])
      if (message ? message.kind === "session_ended" && message.body === session.record.id : isShared(session))
        end(session);
  });

  return {
    open: (opening) => begin(opening),
    openShared(opening) {
      const handles = app.part(sessionHandles);
      return handles ? openShared(handles, opening) : begin(opening);
    },
    restore(id, mode, caller) {
      if (live.get(id)) return undefined;
      const handles = app.part(sessionHandles);
      return handles && restore(handles, id, { mode, caller });
    },
    find(id, mode, caller) {
      const session = live.get(id);
      if (!session || session.mode !== mode || session.owner !== ownerKey(caller)) return undefined;
      session.caller = caller;
      session.lastSeenAt = app.clock.now();
      live.delete(id);
      live.set(id, session);
      return session;
    },
    end,
    async terminate(session) {
      end(session);
      if (!isShared(session)) return;
      await terminated.put(session.record.id, true, { lifetimeMs: SESSION_ID_LIFETIME_MS });
      sharing?.broadcast("session_ended", session.record.id);
    },
    sweep() {
      const oldest = app.clock.now() - limits.idleMs;
      for (const session of live.values())
        if (session.lastSeenAt < oldest && session.running.size === 0 && session.outlets.length === 0) end(session);
      stateless.sweep();
    },
    all: () => live.values(),
    close() {
      stopFollowing?.();
      for (const session of [...live.values()]) end(session);
      stateless.close();
    },
    stateless,
    get size() {
      return live.size;
    },
  };
}

/** True if other replicas can restore the session from its id. */
const isShared = ({ id, record }: McpSession) => id !== record.id;

function leastUsed(live: TransientMap<string, McpSession>): McpSession {
  let looked = 0;
  let first: McpSession | undefined;
  for (const session of live.values()) {
    first ??= session;
    if (session.running.size === 0) return session;
    if (++looked === EVICTION_LOOK) break;
  }
  return first!;
}
