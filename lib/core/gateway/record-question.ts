import type { McpObject } from "../schema/mcp.ts";
import type { EndQuestion, QuestionOutcome } from "../schema/question-outcome.ts";
import type { QuestionAnswer } from "../upstream/protocol/upstream-question.ts";
import { withRecordedArguments } from "./call-metadata.ts";
import { recordActivity } from "./record-activity.ts";
import type { GatewayCall } from "./stages/stage.ts";

/**
 * Records a question that an upstream asks now. The record is written when the outcome is known. It does not contain
 * the answer, which is private to the person and the server.
 */
export function recordQuestion(
  { app, by, item, server, tool }: GatewayCall,
  { method, params }: { method: string; params: McpObject },
): EndQuestion {
  const askedAt = app.clock.now();
  let isOver = false;
  return ({ status, action, reason }) => {
    if (isOver) return;
    isOver = true;
    const durationMs = app.clock.now() - askedAt;
    withRecordedArguments(app, params, (recorded) =>
      recordActivity(app, by, {
        type: "question",
        server_name: server,
        tool_name: tool,
        status,
        duration_ms: durationMs,
        arguments: recorded,
        metadata: {
          method,
          ...(item && { during: item.method }),
          ...(action !== undefined && { action }),
          ...(reason !== undefined && { reason }),
        },
      }),
    );
  };
}

/** Returns the outcome that an answer of the client means. */
export function outcomeOfAnswer(said: QuestionAnswer): QuestionOutcome {
  if ("error" in said) return { status: "error", reason: said.error.message };
  const { action } = said.result;
  return { status: "success", ...(typeof action === "string" && { action }) };
}
