import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { requestBodyBudget } from "../api/request-body-budget.ts";
import type { App } from "../app.ts";
import { BUSY_RETRY_MS, type ByteHold } from "../base/byte-budget.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { REVISION_2026, REVISIONS, RPC, type RpcErrorObject } from "../schema/mcp.ts";
import { postRejection, SESSION_NOT_FOUND } from "./accept.ts";
import { ClientPost } from "./client-post.ts";
import { headerMismatch, readProtocol, unsupportedVersion } from "./envelope.ts";
import { followCallers } from "./follow-callers.ts";
import { createListChangeNotifier } from "./list-change-notifier.ts";
import { createMcpServer, type ReceiveOutcome } from "./mcp-server.ts";
import type { McpMode, McpMount } from "./mount.ts";
import { INVALID_UTF8, MAX_CLIENT_MESSAGE_BYTES, type MalformedText, parseMessage } from "./parse-message.ts";
import { createPendingPosts } from "./pending-posts.ts";
import { readMessageBody } from "./read-message-body.ts";
import type { McpResponse, ReceivedPost } from "./received-post.ts";
import { relayServerLogs } from "./relay-server-logs.ts";
import type { Requester } from "./request-context.ts";
import { requestHeadersMismatch } from "./request-headers.ts";
import { rpcIdOf } from "./rpc.ts";
import { sendRefusal } from "./send-json.ts";
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
  /** Answers a POST that arrived as a whole. */
  answer(post: ReceivedPost, mount: McpMount, who: Requester): void;
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
  const posts = createPendingPosts<McpResponse>(app.clock);
  const budget = app.part(requestBodyBudget);

  const modeOf = ({ mode }: McpMount) => (mode === "default" ? app.boot.routingMode : mode);
  const failed = (method: string, res: McpResponse, mount: McpMount, who: Requester, error: unknown) => {
    const stack = error instanceof Error ? error.stack : String(error);
    app.log.error(`${method} ${mount.path} failed`, { request_id: who.requestId, stack });
    if (res.headersSent) res.destroy();
    else sendRefusal(res, 500, who, RPC.internal, "Internal error");
  };

  const stopLogs = relayServerLogs(app, sessions);
  const stopFollowing = followCallers(app, server, sessions, posts);

  // One function for all responses, because a function for each would be part of the cost of a call.
  const left = function (this: McpResponse) {
    posts.get(this)?.left();
  };

  /** Restores the session of a request if another replica opened it. @returns undefined if there is nothing to wait for */
  const restoreSession = (headers: IncomingHttpHeaders, mount: McpMount, { caller }: Requester) => {
    const id = headers["mcp-session-id"];
    return typeof id === "string" ? sessions.restore(id, modeOf(mount), caller) : undefined;
  };

  /** Reads and answers a POST of `node:http`. Never rejects. */
  const readPost = async (req: IncomingMessage, res: ServerResponse, mount: McpMount, who: Requester) => {
    const { headers } = req;
    const wrong = postRejection(headers);
    if (wrong) return sendRefusal(res, wrong[0], who, RPC.invalidRequest, wrong[1]);
    const hold = budget.hold();
    const body = await readMessageBody(req, MAX_CLIENT_MESSAGE_BYTES, hold);
    if (typeof body === "object") return answerPost({ headers, res, mount, who, hold }, body.text);
    hold.end();
    if (body === "no room") return refuseForNow(res, who);
    if (body === "too large") return sendRefusal(res, 413, who, RPC.invalidRequest, TOO_LARGE);
    if (body === "no UTF-8") refuseMalformed(res, who, INVALID_UTF8);
  };

  /** Never rejects. */
  const answerPost = async ({ headers, res, mount, who, hold }: PostToAnswer, text: string) => {
    try {
      const read = parseMessage(text);
      const parsed = read instanceof Promise ? await read : read;
      if ("error" in parsed) return refuseMalformed(res, who, parsed);
      const message = parsed.value;
      const restoring = restoreSession(headers, mount, who);
      if (restoring) await restoring;
      const post = openPost(headers, res, modeOf(mount), who, message);
      if (!post) return;
      posts.add(res, post);
      res.on("close", left);
      let outcome: ReceiveOutcome;
      try {
        outcome = await server.receive(message, post.hasBatches, (incoming) =>
          post.openContext(incoming, posts.controller()),
        );
      } finally {
        posts.delete(res);
      }
      if (post.passedThrough) posts.recycle(post.aborts);
      const responding = post.respond(outcome);
      if (responding) await responding;
    } catch (error) {
      failed("POST", res, mount, who, error);
    } finally {
      hold.end();
    }
  };

  /** Checks the headers of a message. @returns undefined if the message is rejected */
  const openPost = (
    headers: IncomingHttpHeaders,
    res: McpResponse,
    mode: McpMode,
    requester: Requester,
    message: unknown,
  ): ClientPost | undefined => {
    const revision = headers["mcp-protocol-version"]?.toString();
    const reading = readProtocol(message, revision);
    if (reading.family === "none") return refuseMessage(res, requester, message, reading.error);
    const newer = reading.family === "2026" ? reading : undefined;
    const differs = newer && headersMismatch(headers, message);
    if (differs) return refuseMessage(res, requester, message, differs);
    const method = isJsonObject(message) ? message.method : undefined;
    const isOpening = method === "initialize";
    if (!isOpening && revision !== undefined && !isSpoken(revision))
      return refuseMessage(res, requester, message, unsupportedVersion(revision));
    // 2026-07-28 has no sessions, so the header is ignored.
    const sessionId = isOpening || newer ? undefined : headers["mcp-session-id"];
    let session: McpSession | undefined;
    if (typeof sessionId === "string") {
      session = sessions.find(sessionId, mode, requester.caller);
      if (!session) {
        sendRefusal(res, 404, requester, RPC.sessionNotFound, SESSION_NOT_FOUND, [], { id: rpcIdOf(message) });
        return undefined;
      }
    }
    return new ClientPost({
      headers,
      res,
      mode,
      requester,
      session,
      revision,
      envelope: newer?.envelope,
      method: isOpening || (newer && method === "subscriptions/listen") ? method : "other",
      isBatch: Array.isArray(message),
    });
  };

  /** Answers a request without a message. */
  const takeOther = (req: IncomingMessage, res: ServerResponse, mount: McpMount, who: Requester): Promise<void> => {
    try {
      const mode = modeOf(mount);
      if (req.headers["mcp-protocol-version"] === REVISION_2026)
        sendRefusal(res, 405, who, RPC.invalidRequest, `protocol version ${REVISION_2026} only supports POST`, [
          "allow",
          "POST",
        ]);
      else if (req.method === "GET") openSessionStream({ req, res, mode, who }, sessions, server, app.clock);
      else if (req.method === "DELETE")
        return endSession({ req, res, mode, who }, sessions).catch((error) =>
          failed(req.method ?? "", res, mount, who, error),
        );
      else sendRefusal(res, 405, who, RPC.invalidRequest, "use POST, GET or DELETE", ALLOW_HEADER);
    } catch (error) {
      failed(req.method ?? "", res, mount, who, error);
    }
    return ANSWERED;
  };

  return {
    sessions,
    handle(req, res, mount, who) {
      if (req.method === "POST") return readPost(req, res, mount, who);
      const restoring = restoreSession(req.headers, mount, who);
      if (!restoring) return takeOther(req, res, mount, who);
      return restoring.then(
        () => takeOther(req, res, mount, who),
        (error) => failed(req.method ?? "", res, mount, who, error),
      );
    },
    answer({ headers, response, text, sizeBytes }, mount, who) {
      const wrong = postRejection(headers);
      if (wrong) sendRefusal(response, wrong[0], who, RPC.invalidRequest, wrong[1]);
      else if (text === undefined) refuseMalformed(response, who, INVALID_UTF8);
      else {
        const hold = budget.hold();
        if (hold.add(sizeBytes)) void answerPost({ headers, res: response, mount, who, hold }, text);
        else refuseForNow(response, who);
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

/** A POST whose body has arrived. */
interface PostToAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly res: McpResponse;
  readonly mount: McpMount;
  readonly who: Requester;
  /** The account of the memory for the body; ended with the answer. */
  readonly hold: ByteHold;
}

const ANSWERED = Promise.resolve();

const TOO_LARGE = `a message may have at most ${MAX_CLIENT_MESSAGE_BYTES} bytes`;

function isSpoken(revision: unknown): boolean {
  return REVISIONS.some((r) => r === revision);
}

function refuseForNow(res: McpResponse, who: Requester): void {
  const busy = new Fault("server_busy", { retryAfterMs: BUSY_RETRY_MS });
  const headers = ["retry-after", String(BUSY_RETRY_MS / 1000)];
  const data = { code: busy.code, retry_after_ms: BUSY_RETRY_MS };
  sendRefusal(res, 503, who, RPC.internal, busy.message, headers, { data });
}

function refuseMalformed(res: McpResponse, who: Requester, { error }: MalformedText): void {
  sendRefusal(res, 400, who, error.code, error.message);
}

function refuseMessage(
  res: McpResponse,
  who: Requester,
  asked: unknown,
  { code, message, data }: RpcErrorObject,
): undefined {
  sendRefusal(res, 400, who, code, message, [], { id: rpcIdOf(asked), data });
}

/** Returns how the headers of a 2026-07-28 request contradict its body; undefined if they do not. */
function headersMismatch(headers: IncomingHttpHeaders, message: unknown): RpcErrorObject | undefined {
  if (!isJsonObject(message) || typeof message.method !== "string" || message.id === undefined) return undefined;
  const reason = requestHeadersMismatch(headers, message.method, isJsonObject(message.params) ? message.params : {});
  return reason === undefined ? undefined : headerMismatch(reason).error;
}
