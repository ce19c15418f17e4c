import { DEFAULT_MESSAGE_LEVEL, type LogReceiver } from "../schema/log-message.ts";
import { type InputContext, type McpObject, META_PREFIX, type Progress } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { logMessageText } from "./log-message-text.ts";
import type { RequestContext } from "./request-context.ts";
import { rpcNotificationText } from "./rpc.ts";

/** What goes with a request to an upstream, beside what the request is about. */
export interface ForwardedRequest {
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Given when the client takes log messages of the request. */
  logs?: LogReceiver;
  meta?: McpObject;
  /** What the client can be asked, and has answered. */
  asking?: InputContext;
  /** Given when the client can be asked while the request is under way. */
  ask?: (question: UpstreamQuestion) => void;
  /** Given when the client wants to learn that a person is done at an address it was asked to open. */
  completed?: (elicitationId: string) => void;
  /** Given when the client wants the call to be made as a task (2025-11-25). */
  task?: McpObject;
}

/**
 * Reads what is forwarded of a client's request. Of its `_meta` the progress token is left out, which names a request of
 * this connection, and the members by which a client of the 2026 family describes itself to the proxy.
 */
export function forwardedRequest(turn: RequestContext, meta: McpObject | undefined): ForwardedRequest {
  const forwarded: ForwardedRequest = { signal: turn.abort.signal };
  const { notify, envelope } = turn;
  const level = envelope ? envelope.logLevel : (turn.session?.logLevel ?? DEFAULT_MESSAGE_LEVEL);
  if (notify && level) forwarded.logs = { level, receive: (message) => notify(logMessageText(message)) };
  if (!meta) return forwarded;
  const { progressToken, ...rest } = meta;
  if (envelope) for (const key of Object.keys(rest)) if (key.startsWith(META_PREFIX)) delete rest[key];
  if (Object.keys(rest).length > 0) forwarded.meta = rest;
  if (notify && (typeof progressToken === "string" || typeof progressToken === "number"))
    forwarded.onProgress = (progress) =>
      notify(rpcNotificationText("notifications/progress", { ...progress, progressToken }));
  return forwarded;
}

/** Adds it to a request. The members are set one by one, because a spread shows in the cost of a call. */
export function withForwarded<T extends Partial<ForwardedRequest>>(from: ForwardedRequest, to: T): T {
  if (from.onProgress) to.onProgress = from.onProgress;
  if (from.logs) to.logs = from.logs;
  if (from.meta) to.meta = from.meta;
  if (from.asking) to.asking = from.asking;
  if (from.ask) to.ask = from.ask;
  if (from.completed) to.completed = from.completed;
  if (from.task) to.task = from.task;
  return to;
}
