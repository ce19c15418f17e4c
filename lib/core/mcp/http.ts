import type { IncomingMessage, ServerResponse } from "node:http";
import { bodies } from "../api/bodies.ts";
import type { App } from "../app.ts";
import { REVISION_2026, RPC } from "../schema/mcp.ts";
import { endedFault } from "../verbs/tokens/good-until.ts";
import { unfit } from "../verbs/tokens/verify.ts";
import { accepts, GONE } from "./accept.ts";
import { createAnnouncer } from "./announce.ts";
import type { McpMode, McpMount } from "./mount.ts";
import { createPosts } from "./post.ts";
import { refuse } from "./reply.ts";
import { createMcpServer } from "./server.ts";
import { createSessions, SESSION_LIMITS, type SessionLimits, type Sessions } from "./sessions.ts";
import { openStream } from "./stream.ts";
import type { Tool } from "./tool.ts";
import type { Who } from "./turn.ts";

/** MCP over streamable HTTP, on the raw request and response. The door's checks have been made. */
export interface McpHttp {
  /** Answers one HTTP request; resolves when the answer is on its way, and never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, mount: McpMount, who: Who): Promise<void>;
  /** The live sessions. */
  readonly sessions: Sessions;
  /** Ends every session, stream and call. */
  close(): Promise<void>;
}

export interface McpHttpOptions {
  tools: readonly Tool[];
  limits?: SessionLimits;
}

/** Between two signs of life on a quiet stream; proxies in between often give up after a minute (ms). */
const BEAT_MS = 20_000;

/** GET streams one session may hold; the newest gets the messages, older ones are often dead connections. */
const MAX_STREAMS = 4;

export function createMcpHttp(app: App, { tools, limits = SESSION_LIMITS }: McpHttpOptions): McpHttp {
  const sessions = createSessions(app, limits);
  const server = createMcpServer(app, tools, sessions);
  const announcer = createAnnouncer(app, server.lists, sessions, server.subscriptions);
  const posts = createPosts(app.clock, server, sessions, app.part(bodies));

  // A token that is revoked or replaced takes its sessions, their streams and their calls with it.
  const forgetTokens = app.store.tokens.onChange((name) => {
    posts.endAgents((token) => (token === name ? endedFault(app, token) : undefined));
    endAgents(sessions, (token) => token === name);
  });

  // So does a user who is disabled, with all tokens of theirs.
  const forgetUsers = app.store.users.onChange(() => {
    posts.endAgents((token) => (unfit(app, token) ? endedFault(app, token) : undefined));
    endAgents(sessions, (token) => unfit(app, token) !== undefined);
  });

  const stopBeat = app.clock.every(BEAT_MS, () => {
    posts.beat();
    for (const session of sessions.all()) for (const outlet of session.outlets) outlet.beat();
    sessions.sweep();
    endAgents(sessions, (token) => unfit(app, token) !== undefined);
    for (const { caller, end } of [...server.subscriptions.all()])
      if (caller.tier === "agent" && unfit(app, caller.name)) end();
  });

  const listen = (req: IncomingMessage, res: ServerResponse, mode: McpMode, who: Who) => {
    const id = req.headers["mcp-session-id"];
    if (typeof id !== "string")
      return refuse(
        res,
        405,
        who,
        RPC.invalidRequest,
        "GET opens the event stream of a session and requires Mcp-Session-Id; send messages with POST",
        ALLOW,
      );
    const session = sessions.find(id, mode, who.caller);
    if (!session) return refuse(res, 404, who, RPC.sessionNotFound, GONE);
    if (!accepts(req, "text/event-stream"))
      return refuse(res, 406, who, RPC.invalidRequest, "Accept must allow text/event-stream");
    // By it a stopping daemon knows what waits for events, and does not wait for that.
    res.setHeader("content-type", "text/event-stream");
    const stream = openStream(res, ["x-request-id", who.requestId]);
    stream.beat();
    server.lists.mark(session);
    session.outlets.push(stream);
    if (session.outlets.length > MAX_STREAMS) session.outlets.shift()?.end();
    res.on("close", () => {
      const at = session.outlets.indexOf(stream);
      if (at >= 0) session.outlets.splice(at, 1);
      session.lastSeenAt = app.clock.now();
    });
  };

  const leave = (req: IncomingMessage, res: ServerResponse, mode: McpMode, who: Who) => {
    const id = req.headers["mcp-session-id"];
    if (typeof id !== "string")
      return refuse(res, 400, who, RPC.invalidRequest, "DELETE ends a session and requires Mcp-Session-Id");
    const session = sessions.find(id, mode, who.caller);
    if (!session) return refuse(res, 404, who, RPC.sessionNotFound, GONE);
    sessions.end(session);
    res.writeHead(200, ["content-length", "0", "x-request-id", who.requestId]).end();
  };

  return {
    sessions,
    async handle(req, res, mount, who) {
      const mode = mount.mode === "default" ? app.boot.routingMode : mount.mode;
      try {
        if (req.method === "POST") await posts.take(req, res, mode, who);
        else if (req.headers["mcp-protocol-version"] === REVISION_2026)
          refuse(res, 405, who, RPC.invalidRequest, `protocol version ${REVISION_2026} only supports POST`, [
            "allow",
            "POST",
          ]);
        else if (req.method === "GET") listen(req, res, mode, who);
        else if (req.method === "DELETE") leave(req, res, mode, who);
        else refuse(res, 405, who, RPC.invalidRequest, "use POST, GET or DELETE", ALLOW);
      } catch (error) {
        const stack = error instanceof Error ? error.stack : String(error);
        app.log.error(`${req.method} ${mount.path} failed`, { request_id: who.requestId, stack });
        if (res.headersSent) res.destroy();
        else refuse(res, 500, who, RPC.internal, "Internal error");
      }
    },
    async close() {
      stopBeat();
      forgetTokens();
      forgetUsers();
      announcer.close();
      await posts.close();
      sessions.close();
    },
  };
}

function endAgents(sessions: Sessions, over: (token: string) => boolean): void {
  for (const session of [...sessions.all()]) {
    const { tier, name } = session.caller;
    if (tier === "agent" && over(name)) sessions.end(session);
  }
}

const ALLOW = ["allow", "GET, POST, DELETE"];
