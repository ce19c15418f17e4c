import type { ForwardedRequest } from "../gateway/forwarded-request.ts";
import { DEFAULT_MESSAGE_LEVEL } from "../schema/log-message.ts";
import { type McpObject, META_PREFIX } from "../schema/mcp.ts";
import { logMessageText } from "./log-message-text.ts";
import type { RequestContext } from "./request-context.ts";
import { rpcNotificationText } from "./rpc.ts";

/**
 * Reads the parts of a client's request that are forwarded to the upstream. Two parts of its `_meta` are omitted: the
 * progress token, which is valid only on the client's connection, and the members by which a 2026-07-28 client
 * describes itself to the proxy.
 */
export function readForwardedRequest(turn: RequestContext, meta: McpObject | undefined): ForwardedRequest {
  const { notify, envelope, observed } = turn;
  const forwarded: ForwardedRequest = { signal: turn.abort.signal, observed };
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
