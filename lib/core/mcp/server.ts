import type { App } from "../app.ts";
import type { JsonObject } from "../schema/mcp.ts";
import type { Answer } from "./era.ts";
import { createEra2025 } from "./era-2025.ts";
import { createEra2026 } from "./era-2026.ts";
import { createInvoke } from "./invoke.ts";
import { createToolLists, type ToolLists } from "./list.ts";
import type { Sessions } from "./sessions.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import type { Tool } from "./tool.ts";
import type { Turn } from "./turn.ts";

/** The methods of MCP, whatever carries the messages; which era's is a property of each request. */
export interface McpServer {
  readonly lists: ToolLists;
  readonly subscriptions: Subscriptions;
  readonly answer: Answer;
  /** Takes one notification. */
  hear(turn: Turn, method: string, params: JsonObject): void;
}

export function createMcpServer(app: App, tools: readonly Tool[], sessions: Sessions): McpServer {
  const info = { name: "proxy", title: "MCP proxy", version: app.boot.version };
  const lists = createToolLists(app, tools);
  const parts = { app, lists, invoke: createInvoke(app, tools, info, sessions.stateless), info };
  const subscriptions = createSubscriptions(lists.mark, info);
  const older = createEra2025(parts, sessions);
  const newer = createEra2026(parts, subscriptions);

  return {
    lists,
    subscriptions,
    answer: (turn, request) => (turn.envelope ? newer(turn, request) : older(turn, request)),
    hear(turn, method, params) {
      if (method !== "notifications/cancelled") return;
      const { requestId } = params;
      if (typeof requestId !== "string" && typeof requestId !== "number") return;
      for (const running of [turn.session?.running, turn.running]) running?.get(requestId)?.abort();
    },
  };
}
