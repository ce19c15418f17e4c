import { type McpObject, REVISIONS, type RpcId, TASKS_EXTENSION } from "../schema/mcp.ts";
import { instructionsFor } from "./instructions.ts";
import { listPage } from "./list-page.ts";
import type { MessageText } from "./message-text.ts";
import { offersTasks } from "./offers-tasks.ts";
import { type ProtocolMethods, type ProtocolParts, SERVER_CAPABILITIES } from "./protocol-methods.ts";
import type { RequestContext } from "./request-context.ts";
import { completedResult } from "./result.ts";
import { methodNotFound, rpcResultPieces, rpcResultText } from "./rpc.ts";
import type { Subscriptions } from "./subscriptions.ts";

/**
 * How long a client may use its copy of a result (ms). Only subscribed clients are notified when tools change, which
 * happens with approvals and connections; the proxy's own description changes with its configuration.
 */
const FRESH_MS = { list: 30_000, discover: 300_000 };

/** Results depend on the caller, so caches must not share them. */
const SCOPE = "private";

/**
 * Protocol version 2026-07-28: no handshake and no session. Every request states its sender, every result whether it is
 * complete.
 */
export function createProtocol2026({ app, lists, info }: ProtocolParts, subscriptions: Subscriptions): ProtocolMethods {
  /** @param raw JSON text of an object, or its beginning */
  const cached = (ttlMs: number, raw: string, meta?: McpObject) =>
    completedResult(`{"ttlMs":${ttlMs},"cacheScope":"${SCOPE}",${raw.slice(1)}`, info, meta);

  const capabilitiesFor = ({ requester }: RequestContext) => ({
    ...SERVER_CAPABILITIES,
    ...(offersTasks(app, requester.caller, "2026") && { extensions: { [TASKS_EXTENSION]: {} } }),
  });

  const discover = (turn: RequestContext, id: RpcId): string => {
    const instructions = instructionsFor(app, turn.mode, turn.requester.caller);
    const said = { supportedVersions: REVISIONS, capabilities: capabilitiesFor(turn), instructions };
    return rpcResultText(id, cached(FRESH_MS.discover, JSON.stringify(said)));
  };

  const list = (turn: RequestContext, id: RpcId, { cursor }: McpObject): Promise<MessageText | undefined> =>
    listPage(lists, turn, id, cursor, ({ pieces: [first = "", ...rest], meta }) =>
      rpcResultPieces(id, [cached(FRESH_MS.list, first, meta), ...rest]),
    );

  return (turn, { id, method, params }) => {
    switch (method) {
      case "tools/list":
        return list(turn, id, params);
      case "subscriptions/listen":
        return subscriptions.listen(turn, id, params);
      case "server/discover":
        return discover(turn, id);
      default:
        turn.status = 404;
        return methodNotFound(id, method);
    }
  };
}
