import type { App } from "../app.ts";
import { sessionId } from "../base/id.ts";
import { TransientMap } from "../base/transient-map.ts";
import { logLevels } from "../gateway/log-levels.ts";
import { type ResourceSubscriber, resourceSubscriptions } from "../gateway/resource-subscriptions.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";
import type { MessageLevel } from "../schema/log-message.ts";
import type { McpObject, RpcId } from "../schema/mcp.ts";
import { type SessionOrigin, sessionRecord } from "../verbs/sessions/record.ts";
import { createStatelessClients, type StatelessClients } from "../verbs/sessions/stateless.ts";
import { closeSession, type TrackedSession } from "../verbs/sessions/track.ts";
import { type ClientQuestions, createClientQuestions } from "./client-questions.ts";
import type { McpMode } from "./mount.ts";
import { resourceUpdatedText } from "./rpc.ts";
import type { KnownItems } from "./tool-lists.ts";

/** Where messages to a client go that answer no request: an open GET stream, or standard output. */
export interface Outlet {
  send(text: string): void;
  /** Keeps intermediaries from closing a quiet stream. */
  keepAlive(): void;
  end(): void;
}

/** One client of the 2025 family between `initialize` and its end. */
export interface McpSession extends TrackedSession, ResourceSubscriber {
  readonly id: string;
  readonly mode: McpMode;
  /** Protocol revision agreed on. */
  readonly revision: string;
  /** Who opened it; nobody else may use it. */
  readonly owner: string;
  /** The same somebody as of the latest request: a token's scope may narrow while a session lives. */
  caller: Caller;
  lastSeenAt: number;
  /** Calls under way, by the client's own request id. */
  readonly running: TransientMap<RpcId, AbortController>;
  /** What its client can be asked. */
  readonly capabilities: McpObject;
  /** Its client shows apps (MCP Apps). */
  readonly isAppHost?: boolean;
  /** What it was asked and has not answered. */
  readonly questions: ClientQuestions;
  /** Tasks whose changes it is sent; aborting one ends that. Oldest first. */
  readonly followedTasks: Set<AbortController>;
  /** Newest last; a message goes to the newest only. */
  readonly outlets: Outlet[];
  /** Resources that were updated while the client had no stream open, as the client names them. */
  readonly missedUpdates: Set<string>;
  /** The least severe log messages that its client asked for. */
  logLevel?: MessageLevel;
  /** Tag of the tool list that the client knows. */
  knownTag?: string;
  /** The same of its lists of prompts, resources and resource templates. */
  knownItems?: KnownItems;
}

interface SessionOpening extends SessionOrigin {
  readonly capabilities?: McpObject;
  readonly isAppHost?: boolean;
  readonly mode: McpMode;
  readonly revision: string;
}

/** The live sessions: bounded, ended by the client, by idle time, or as the least recently used. */
export interface McpSessions {
  open(opening: SessionOpening): McpSession;
  /** The session of this id when it is of this mode and this caller's own; anything else is as good as unknown. */
  find(id: string, mode: McpMode, caller: Caller): McpSession | undefined;
  end(session: McpSession): void;
  /** Ends what has been idle for too long. A session that listens on a stream is not idle. */
  sweep(): void;
  all(): Iterable<McpSession>;
  /** Ends all of them. */
  close(): void;
  readonly size: number;
  /** Clients of the revision that has no sessions, within the same bounds. */
  readonly stateless: StatelessClients;
}

export interface SessionLimits {
  /** Most sessions at once. */
  max: number;
  /** Longest silence (ms). */
  idleMs: number;
}

/** Many clients never say goodbye, so both bounds are needed. */
export const SESSION_LIMITS: SessionLimits = { max: 10_000, idleMs: 3_600_000 };

/** Updates that are kept for a client without a stream. */
const MAX_MISSED = 256;

/** How many of the least recently used are looked at for one that is not in the middle of a call. */
const EVICTION_LOOK = 100;

export function createMcpSessions(
  app: Pick<App, "clock" | "store" | "log" | "part">,
  limits = SESSION_LIMITS,
): McpSessions {
  // In order of use, least recent first.
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

  return {
    open(opening) {
      if (live.size >= limits.max) end(leastUsed(live));
      const now = app.clock.now();
      const id = sessionId();
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
        questions: createClientQuestions(),
        followedTasks: new Set(),
        outlets: [],
        missedUpdates: new Set(),
        updated(uri) {
          const outlet = session.outlets.at(-1);
          if (outlet) outlet.send(resourceUpdatedText(uri));
          else if (session.missedUpdates.size < MAX_MISSED) session.missedUpdates.add(uri);
        },
        writtenAt: 0,
        record: sessionRecord(id, now, opening),
      };
      live.set(id, session);
      return session;
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
    sweep() {
      const oldest = app.clock.now() - limits.idleMs;
      for (const session of live.values())
        if (session.lastSeenAt < oldest && session.running.size === 0 && session.outlets.length === 0) end(session);
      stateless.sweep();
    },
    all: () => live.values(),
    close() {
      for (const session of [...live.values()]) end(session);
      stateless.close();
    },
    stateless,
    get size() {
      return live.size;
    },
  };
}

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
