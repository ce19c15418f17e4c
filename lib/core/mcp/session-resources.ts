import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { resourceSubscriptions } from "../gateway/resource-subscriptions.ts";
import { RPC } from "../schema/mcp.ts";
import { itemError, resourceNotFound, saysMissing } from "./item-errors.ts";
import type { McpRequest } from "./protocol-methods.ts";
import type { RequestContext } from "./request-context.ts";
import { invalidParams, rpcErrorText, rpcResultText } from "./rpc.ts";
import { subscribeResource } from "./subscribe-resource.ts";

/**
 * Handles `resources/subscribe` and `resources/unsubscribe` of protocol versions up to 2025-11-25. The subscriptions
 * end with the session.
 */
export async function sessionResources(
  app: App,
  turn: RequestContext,
  request: McpRequest,
): Promise<string | undefined> {
  const { id, method } = request;
  const { uri } = request.params;
  const { session, abort } = turn;
  if (typeof uri !== "string" || uri === "") return rpcErrorText(id, invalidParams("uri must be a string"));
  if (!session)
    return rpcErrorText(id, {
      code: RPC.invalidRequest,
      message: `${method} requires a session: send initialize first, and name the session in Mcp-Session-Id`,
    });
  if (method === "resources/unsubscribe") {
    app.part(resourceSubscriptions).unsubscribe(session, uri);
    return rpcResultText(id, "{}");
  }
  session.running.set(id, abort);
  try {
    await subscribeResource(app, session, uri, abort.signal);
    return rpcResultText(id, "{}");
  } catch (error) {
    const { aborted, reason } = abort.signal;
    // A client that cancelled or disconnected gets no response. If the proxy ended the request, it gets the reason.
    if (aborted && !(reason instanceof Fault)) return undefined;
    const known = aborted ? reason : saysMissing(error) ? resourceNotFound(turn, uri) : error;
    return rpcErrorText(id, itemError(app, turn, request, known));
  } finally {
    if (session.running.get(id) === abort) session.running.delete(id);
  }
}
