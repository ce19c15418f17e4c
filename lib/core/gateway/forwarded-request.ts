import type { Fault } from "../base/fault.ts";
import type { LogReceiver } from "../schema/log-message.ts";
import type { InputContext, McpObject, Progress } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";

/** The part of a request to an upstream that does not depend on what is requested. */
export interface ForwardedRequest {
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Receives log messages of the request; absent if the caller takes none. */
  logs?: LogReceiver;
  /** Sent to the upstream as `_meta`. */
  meta?: McpObject;
  /** The kinds of questions that the caller can answer, and its answers; the result may then be `resultType: input_required`. */
  asking?: InputContext;
  /** Receives the upstream's questions while the request is under way; absent if the caller cannot be asked then. */
  ask?: (question: UpstreamQuestion) => void;
  /** Ends the request with this error, even while it waits for an answer to a question; given with `ask`. */
  end?: (fault: Fault) => void;
  /**
   * Called when a person has finished at a URL that they were asked to open, with the id of that elicitation; absent if
   * the caller does not want to know.
   */
  completed?: (elicitationId: string) => void;
  /** The call is made as a task with these properties (2025-11-25). */
  task?: McpObject;
}

/**
 * Copies the members of a forwarded request, except its signal, to another request. They are set one by one because a
 * spread is measurable in the cost of a call.
 */
export function withForwarded<T extends Partial<ForwardedRequest>>(from: ForwardedRequest, to: T): T {
  if (from.onProgress) to.onProgress = from.onProgress;
  if (from.logs) to.logs = from.logs;
  if (from.meta) to.meta = from.meta;
  if (from.asking) to.asking = from.asking;
  if (from.ask) to.ask = from.ask;
  if (from.end) to.end = from.end;
  if (from.completed) to.completed = from.completed;
  if (from.task) to.task = from.task;
  return to;
}
