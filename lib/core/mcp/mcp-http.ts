import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { requestBodyBudget } from "../api/request-body-budget.ts";
import type { App } from "../app.ts";
import { BUSY_RETRY_MS, type ByteHold } from "../base/byte-budget.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { REVISION_2026, REVISIONS, RPC, type RpcErrorObject } from "../schema/mcp.ts";
import { acceptsType, postRejection, SESSION_NOT_FOUND } from "./accept.ts";
import { readBody } from "./body.ts";
import { type ClientEventStream, openClientEventStream } from "./client-event-stream.ts";
import { headerMismatch, readProtocol, unsupportedVersion } from "./envelope.ts";
import { followCallers } from "./follow-callers.ts";
import { createListChangeNotifier } from "./list-change-notifier.ts";
import { createMcpServer, type ReceiveOutcome } from "./mcp-server.ts";
import type { McpMode, McpMount } from "./mount.ts";
import { INVALID_UTF8, MAX_CLIENT_MESSAGE_BYTES, parseMessage } from "./parse-message.ts";
import { createPendingPosts, type PendingPost } from "./pending-posts.ts";
import { relayServerLogs } from "./relay-server-logs.ts";
import type { RequestContext, Requester } from "./request-context.ts";
import { requestHeadersMismatch } from "./request-headers.ts";
import { rpcIdOf } from "./rpc.ts";
import { sendJson, sendJsonPieces, sendRefusal } from "./send-json.ts";
import { ALLOW_HEADER, endSession, openSessionStream } from "./session-stream.ts";
import {
  createMcpSessions,
  type McpSession,
  type McpSessions,
  SESSION_LIMITS,
  type SessionLimits,
} from "./sessions.ts";
import type { Tool } from "./tool.ts";

/** MCP over streamable HTTP, on Node's request and response objects. Requests are already authenticated. */
interface McpHttp {
  /** Answers one HTTP request. Resolves when the response is being sent; never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, mount: McpMount, who: Requester): Promise<void>;
  /** The live sessions. */
  readonly sessions: McpSessions;
  /** Ends every session, stream and call. */
  close(): Promise<void>;
}

interface McpHttpOptions {
  tools: readonly Tool[];
  limits?: SessionLimits;
}

export function createMcpHttp(app: App, { tools, limits = SESSION_LIMITS }: McpHttpOptions): McpHttp {
  const sessions = createMcpSessions(app, limits);
  const server = createMcpServer(app, tools, sessions);
  const announcer = createListChangeNotifier(app, server.lists, sessions, server.subscriptions);
  const posts = createPendingPosts(app.clock);
  const budget = app.part(requestBodyBudget);

  const stopLogs = relayServerLogs(app, sessions);
  const stopFollowing = followCallers(app, server, sessions, posts);

  const takePost = async (req: IncomingMessage, res: ServerResponse, mode: McpMode, who: Requester) => {
    const wrong = postRejection(req);
    if (wrong) return sendRefusal(res, wrong[0], who, RPC.invalidRequest, wrong[1]);
    const hold = budget.hold();
    try {
      await answerPost(req, res, mode, who, hold);
    } finally {
      hold.end();
    }
  };

  /** @param hold the account on which the bytes of the message are counted */
  const answerPost = async (
    req: IncomingMessage,
    res: ServerResponse,
    mode: McpMode,
    requester: Requester,
    hold: ByteHold,
  ) => {
    const body = await readBody(req, MAX_CLIENT_MESSAGE_BYTES, hold);
    if (body === "gone") return;
    if (body === "no room") return refuseForNow(res, requester);
    if (body === "too large")
      return sendRefusal(
        res,
        413,
        requester,
        RPC.invalidRequest,
        `a message may have at most ${MAX_CLIENT_MESSAGE_BYTES} bytes`,
      );
    const read = body === "no UTF-8" ? INVALID_UTF8 : parseMessage(body.text);
    const parsed = read instanceof Promise ? await read : read;
    if ("error" in parsed) return sendRefusal(res, 400, requester, parsed.error.code, parsed.error.message);
    const message = parsed.value;

    const revision = req.headers["mcp-protocol-version"]?.toString();
    const reading = readProtocol(message, revision);
    if (reading.family === "none") return refuseMessage(res, requester, message, reading.error);
    const newer = reading.family === "2026" ? reading : undefined;
    const differs = newer && headersMismatch(req.headers, message);
    if (differs) return refuseMessage(res, requester, message, differs);
    const opening = isJsonObject(message) && message.method === "initialize";
    if (!opening && revision !== undefined && !isSpoken(revision))
      return refuseMessage(res, requester, message, unsupportedVersion(revision));
    // 2026-07-28 has no sessions, so the header is ignored.
    const sessionId = opening || newer ? undefined : req.headers["mcp-session-id"];
    let session: McpSession | undefined;
    if (typeof sessionId === "string") {
      session = sessions.find(sessionId, mode, requester.caller);
      if (!session)
        return sendRefusal(res, 404, requester, RPC.sessionNotFound, SESSION_NOT_FOUND, [], { id: rpcIdOf(message) });
    }

    const headers = ["x-request-id", requester.requestId];
    let stream: ClientEventStream | undefined;
    const listening = newer && isJsonObject(message) && message.method === "subscriptions/listen";
    const open = () => {
      // A daemon that stops recognises event streams by this header and does not wait for them.
      if (listening && !stream) res.setHeader("content-type", "text/event-stream");
      stream ??= openClientEventStream(res, headers);
      return stream;
    };
    const streams = req.headers.accept?.includes("text/event-stream") ?? false;
    const post: PendingPost = {
      caller: requester.caller,
      aborts: [],
      waited: false,
      stream: streams ? open : undefined,
    };
    let turn: RequestContext | undefined;
    const batch = Array.isArray(message);
    // Members are set one by one, because a spread would make calls measurably slower.
    const turnFor = () => {
      const opened: Writable<RequestContext> = { mode, requester, session, abort: posts.controllerFor(post) };
      if (newer) {
        opened.envelope = newer.envelope;
        opened.headers = req.headers;
      }
      if (streams && !batch) opened.notify = (text) => open().send(text);
      if (streams && !batch && session) opened.deliver = (text) => void open().deliver(text);
      turn = opened;
      return opened;
    };
    // A client that disconnects cancels its requests, because it could not receive the response later.
    res.on("close", () => {
      if (!res.writableFinished) for (const abort of post.aborts) abort.abort();
    });

    posts.add(post);
    const batches = (session?.revision ?? revision ?? "2025-03-26") === "2025-03-26";
    let outcome: ReceiveOutcome;
    try {
      outcome = await server.receive(message, batches, turnFor);
    } finally {
      posts.delete(post);
    }
    if (turn?.passedThrough && !batch) posts.recycle(post, turn.abort);

    if (opening && turn?.session) headers.push("mcp-session-id", turn.session.id);
    const { text } = outcome;
    if (text === undefined) {
      // A cancelled request gets no response; the event stream ends without one.
      if (outcome.asked && streams) return open().end();
      return void res.writeHead(202, ["content-length", "0", ...headers]).end();
    }
    const status = outcome.malformed ? 400 : (turn?.status ?? 200);
    if (!stream && (status !== 200 || acceptsType(req, "application/json")))
      return typeof text === "string"
        ? sendJson(res, status, text, headers)
        : await sendJsonPieces(res, status, text, headers);
    await open().deliver(text);
    open().end();
  };

  return {
    sessions,
    async handle(req, res, mount, who) {
      const mode = mount.mode === "default" ? app.boot.routingMode : mount.mode;
      try {
        if (req.method === "POST") await takePost(req, res, mode, who);
        else if (req.headers["mcp-protocol-version"] === REVISION_2026)
          sendRefusal(res, 405, who, RPC.invalidRequest, `protocol version ${REVISION_2026} only supports POST`, [
            "allow",
            "POST",
          ]);
        else if (req.method === "GET") openSessionStream({ req, res, mode, who }, sessions, server, app.clock);
        else if (req.method === "DELETE") endSession({ req, res, mode, who }, sessions);
        else sendRefusal(res, 405, who, RPC.invalidRequest, "use POST, GET or DELETE", ALLOW_HEADER);
      } catch (error) {
        const stack = error instanceof Error ? error.stack : String(error);
        app.log.error(`${req.method} ${mount.path} failed`, { request_id: who.requestId, stack });
        if (res.headersSent) res.destroy();
        else sendRefusal(res, 500, who, RPC.internal, "Internal error");
      }
    },
    async close() {
      stopFollowing();
      stopLogs();
      announcer.close();
      await posts.close();
      sessions.close();
    },
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function isSpoken(revision: unknown): boolean {
  return REVISIONS.some((r) => r === revision);
}

function refuseForNow(res: ServerResponse, who: Requester): void {
  const busy = new Fault("server_busy", { retryAfterMs: BUSY_RETRY_MS });
  const headers = ["retry-after", String(BUSY_RETRY_MS / 1000)];
  const data = { code: busy.code, retry_after_ms: BUSY_RETRY_MS };
  sendRefusal(res, 503, who, RPC.internal, busy.message, headers, { data });
}

function refuseMessage(
  res: ServerResponse,
  who: Requester,
  asked: unknown,
  { code, message, data }: RpcErrorObject,
): void {
  sendRefusal(res, 400, who, code, message, [], { id: rpcIdOf(asked), data });
}

/** Returns how the headers of a 2026-07-28 request contradict its body; undefined if they do not. */
function headersMismatch(headers: IncomingHttpHeaders, message: unknown): RpcErrorObject | undefined {
  if (!isJsonObject(message) || typeof message.method !== "string" || message.id === undefined) return undefined;
  const reason = requestHeadersMismatch(headers, message.method, isJsonObject(message.params) ? message.params : {});
  return reason === undefined ? undefined : headerMismatch(reason).error;
}
