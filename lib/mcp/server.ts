import type { App } from "../app.ts";
import { isObject } from "../base/merge.ts";
import type { JsonObject, RpcErrorObject, RpcId } from "../shape/mcp.ts";
import { REVISIONS_2025, RPC } from "../shape/mcp.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { createInvoke } from "./invoke.ts";
import { createToolLists, type ToolLists } from "./list.ts";
import { errorText, type Incoming, resultText } from "./rpc.ts";
import type { Sessions } from "./sessions.ts";
import type { Tool } from "./tool.ts";
import type { Turn } from "./turn.ts";

/** The methods of MCP, whatever carries the messages. */
export interface McpServer {
  readonly lists: ToolLists;
  /** Answers one request with a whole JSON-RPC response; undefined once the client has cancelled it. */
  answer(turn: Turn, request: Extract<Incoming, { kind: "request" }>): Promise<string | undefined> | string;
  /** Takes one notification. */
  hear(turn: Turn, method: string, params: JsonObject): void;
}

/** Longest client name and version kept. */
const CLIENT_NAME_MAX = 200;

export function createMcpServer(app: App, tools: readonly Tool[], sessions: Sessions): McpServer {
  const lists = createToolLists(app, tools);
  const invoke = createInvoke(app, tools);

  const initialize = (turn: Turn, id: RpcId, params: JsonObject): string => {
    const { protocolVersion, clientInfo } = params;
    if (typeof protocolVersion !== "string")
      return errorText(id, invalidParams("protocolVersion must be a string such as 2025-11-25"));
    // A revision we do not speak is answered with the newest we do; the client decides whether it can live with that.
    const revision = REVISIONS_2025.find((r) => r === protocolVersion) ?? REVISIONS_2025[0];
    turn.session = sessions.open({
      mode: turn.mode,
      caller: turn.who.caller,
      revision,
      client: clientOf(clientInfo),
      ...(turn.who.clientIp !== undefined && { clientIp: turn.who.clientIp }),
    });
    return resultText(
      id,
      JSON.stringify({
        protocolVersion: revision,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "proxy", title: "MCP proxy", version: app.boot.version },
        instructions: app.config.current().instructions ?? INSTRUCTIONS[turn.mode],
      }),
    );
  };

  const list = (turn: Turn, id: RpcId, params: JsonObject): string => {
    if (params.cursor !== undefined)
      return errorText(id, invalidParams("cursor is not one of ours: the list has one page"));
    const { text, tag } = lists.of(turn.mode, turn.who.caller);
    if (turn.session) turn.session.listed = tag;
    return resultText(id, text);
  };

  return {
    lists,
    answer(turn, { id, method, params }) {
      switch (method) {
        case "tools/call":
          return invoke(turn, id, params);
        case "tools/list":
          return list(turn, id, params);
        case "ping":
          return resultText(id, "{}");
        case "initialize":
          return initialize(turn, id, params);
        default:
          return errorText(id, { code: RPC.methodNotFound, message: `Method not found: ${method.slice(0, 200)}` });
      }
    },
    hear(turn, method, params) {
      if (method !== "notifications/cancelled") return;
      const { requestId } = params;
      if (typeof requestId === "string" || typeof requestId === "number") turn.session?.running.get(requestId)?.abort();
    },
  };
}

function invalidParams(reason: string): RpcErrorObject {
  return { code: RPC.invalidParams, message: `Invalid params: ${reason}` };
}

function clientOf(info: unknown): { name: string; version: string } {
  const { name, version } = isObject(info) ? info : {};
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, CLIENT_NAME_MAX) : "");
  return { name: text(name), version: text(version) };
}
