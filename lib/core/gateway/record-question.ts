import type { McpObject } from "../schema/mcp.ts";
import { recordedArguments } from "./call-metadata.ts";
import { recordActivity } from "./record-activity.ts";
import type { GatewayCall } from "./stages/stage.ts";

/** What became of a question. */
export interface QuestionOutcome {
  readonly status: "success" | "error" | "blocked";
  readonly reason?: string;
  /** What the person chose: `accept`, `decline` or `cancel`. */
  readonly action?: string;
  readonly durationMs?: number;
}

/** Records a question of an upstream. The answer is left out: it is the person's, and the server has it. */
export function recordQuestion(
  { app, by, item, server, tool }: GatewayCall,
  { method, params }: { method: string; params: McpObject },
  { status, reason, action, durationMs = 0 }: QuestionOutcome,
): void {
  recordActivity(app, by, {
    type: "question",
    server_name: server,
    tool_name: tool,
    status,
    duration_ms: durationMs,
    arguments: recordedArguments(params, JSON.stringify(params)),
    metadata: {
      method,
      ...(item && { during: item.method }),
      ...(action !== undefined && { action }),
      ...(reason !== undefined && { reason }),
    },
  });
}
