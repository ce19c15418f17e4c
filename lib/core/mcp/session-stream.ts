import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { RPC } from "../schema/mcp.ts";
import { acceptsType, SESSION_NOT_FOUND } from "./accept.ts";
import { openClientEventStream } from "./client-event-stream.ts";
import { LIST_CHANGES } from "./list-change-notifier.ts";
import type { McpServer } from "./mcp-server.ts";
import type { McpMode } from "./mount.ts";
import type { Requester } from "./request-context.ts";
import { resourceUpdatedText, rpcNotificationText } from "./rpc.ts";
import { sendRefusal } from "./send-json.ts";
import type { McpSessions } from "./sessions.ts";

/** A GET or DELETE request about a session; its body is not read. */
interface SessionRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly mode: McpMode;
  readonly who: Requester;
}

/** The header with the methods that the endpoint supports. */
export const ALLOW_HEADER = ["allow", "GET, POST, DELETE"];

/**
 * Maximum number of GET streams of one session. The newest gets the messages; older ones are often dead connections.
 */
const MAX_STREAMS = 4;

/** Handles GET: opens the event stream for messages that belong to no request. */
export function openSessionStream(
  { req, res, mode, who }: SessionRequest,
  sessions: McpSessions,
  { lists }: McpServer,
  clock: Clock,
) {
  const id = req.headers["mcp-session-id"];
  if (typeof id !== "string")
    return sendRefusal(
      res,
      405,
      who,
      RPC.invalidRequest,
      "GET opens the event stream of a session and requires Mcp-Session-Id; send messages with POST",
      ALLOW_HEADER,
    );
  const session = sessions.find(id, mode, who.caller);
  if (!session) return sendRefusal(res, 404, who, RPC.sessionNotFound, SESSION_NOT_FOUND);
  if (!acceptsType(req.headers, "text/event-stream"))
    return sendRefusal(res, 406, who, RPC.invalidRequest, "Accept must allow text/event-stream");
  // A daemon that stops recognises event streams by this header and does not wait for them.
  res.setHeader("content-type", "text/event-stream");
  const stream = openClientEventStream(res, ["x-request-id", who.requestId]);
  stream.keepAlive();
  if (session.mayHaveMissedChanges) for (const method of LIST_CHANGES) stream.send(rpcNotificationText(method));
  session.mayHaveMissedChanges = false;
  lists.mark(session);
  session.outlets.push(stream);
  for (const uri of session.missedUpdates) stream.send(resourceUpdatedText(uri));
  session.missedUpdates.clear();
  if (session.outlets.length > MAX_STREAMS) session.outlets.shift()?.end();
  res.on("close", () => {
    const at = session.outlets.indexOf(stream);
    if (at >= 0) session.outlets.splice(at, 1);
    session.lastSeenAt = clock.now();
  });
}

/** Handles DELETE: ends the session. */
export async function endSession({ req, res, mode, who }: SessionRequest, sessions: McpSessions): Promise<void> {
  const id = req.headers["mcp-session-id"];
  if (typeof id !== "string")
    return sendRefusal(res, 400, who, RPC.invalidRequest, "DELETE ends a session and requires Mcp-Session-Id");
  const session = sessions.find(id, mode, who.caller);
  if (!session) return sendRefusal(res, 404, who, RPC.sessionNotFound, SESSION_NOT_FOUND);
  try {
    await sessions.terminate(session);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return sendRefusal(res, 503, who, RPC.internal, error.message, [], { data: { code: error.code } });
  }
  res.writeHead(200, ["content-length", "0", "x-request-id", who.requestId]).end();
}
