import { type JsonObject, REVISIONS, type RpcId } from "../schema/mcp.ts";
import { type Answer, CAPABILITIES, type EraParts } from "./era.ts";
import { instructionsFor } from "./instructions.ts";
import { listPage } from "./list-page.ts";
import type { MessageText } from "./message-text.ts";
import { completed } from "./result.ts";
import { methodNotFound, resultPieces, resultText } from "./rpc.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { Turn } from "./turn.ts";

/**
 * How long a client may take its copy of an answer for the newest (ms). Tools come and go with approvals and
 * connections, which only those hear of who subscribed; what the proxy says of itself changes with its configuration.
 */
const FRESH_MS = { list: 30_000, discover: 300_000 };

/** What a caller is shown depends on who it is, so nobody else may be given it. */
const SCOPE = "private";

/** Revision 2026-07-28: no opening and no session; every request says who sends it, every result whether it is all. */
export function createEra2026({ app, lists, info }: EraParts, subscriptions: Subscriptions): Answer {
  /** @param raw JSON text of an object, or its beginning */
  const cached = (ttlMs: number, raw: string) =>
    completed(`{"ttlMs":${ttlMs},"cacheScope":"${SCOPE}",${raw.slice(1)}`, info);

  const discover = (turn: Turn, id: RpcId): string => {
    const instructions = instructionsFor(app, turn.mode);
    const said = { supportedVersions: REVISIONS, capabilities: CAPABILITIES, instructions };
    return resultText(id, cached(FRESH_MS.discover, JSON.stringify(said)));
  };

  const list = (turn: Turn, id: RpcId, { cursor }: JsonObject): Promise<MessageText | undefined> =>
    listPage(lists, turn, id, cursor, ({ pieces: [first = "", ...rest] }) =>
      resultPieces(id, [cached(FRESH_MS.list, first), ...rest]),
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
