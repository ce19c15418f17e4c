import { type JsonObject, REVISIONS_2025, type RpcId } from "../schema/mcp.ts";
import { clientOf } from "./envelope.ts";
import { type Answer, CAPABILITIES, type EraParts } from "./era.ts";
import { instructionsFor } from "./instructions.ts";
import { listPage } from "./list-page.ts";
import type { MessageText } from "./message-text.ts";
import { errorText, invalidParams, methodNotFound, resultPieces, resultText } from "./rpc.ts";
import type { Sessions } from "./sessions.ts";
import type { Turn } from "./turn.ts";

/** Revisions 2024-11-05 to 2025-11-25: opened by `initialize`, held together by a session where the client wants one. */
export function createEra2025({ app, lists, info }: EraParts, sessions: Sessions): Answer {
  const initialize = (turn: Turn, id: RpcId, { protocolVersion, clientInfo }: JsonObject): string => {
    if (typeof protocolVersion !== "string")
      return errorText(id, invalidParams("protocolVersion must be a string such as 2025-11-25"));
    // A revision we do not speak is answered with the newest we do; the client decides whether it can live with that.
    const revision = REVISIONS_2025.find((r) => r === protocolVersion) ?? REVISIONS_2025[0];
    turn.session = sessions.open({
      mode: turn.mode,
      caller: turn.who.caller,
      revision,
      client: clientOf(clientInfo) ?? { name: "", version: "" },
      ...(turn.who.clientIp !== undefined && { clientIp: turn.who.clientIp }),
    });
    const instructions = instructionsFor(app, turn.mode);
    return resultText(
      id,
      JSON.stringify({ protocolVersion: revision, capabilities: CAPABILITIES, serverInfo: info, instructions }),
    );
  };

  const list = (turn: Turn, id: RpcId, { cursor }: JsonObject): Promise<MessageText | undefined> =>
    listPage(lists, turn, id, cursor, ({ pieces, tag }) => {
      if (turn.session) turn.session.listed = tag;
      return resultPieces(id, pieces);
    });

  return (turn, { id, method, params }) => {
    switch (method) {
      case "tools/list":
        return list(turn, id, params);
      case "ping":
        return resultText(id, "{}");
      case "initialize":
        return initialize(turn, id, params);
      default:
        return methodNotFound(id, method);
    }
  };
}
