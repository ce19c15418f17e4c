import type { Fault } from "../base/fault.ts";
import type { ObservedRequest } from "../extension/traffic.ts";
import type { LogReceiver } from "../schema/log-message.ts";
import type { InputContext, McpObject, Progress } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";

/** The options of a request to an upstream that are the same for every kind of request. */
export interface ForwardedRequest {
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Receives log messages of the request; absent if the caller does not want them. */
  logs?: LogReceiver;
  /** Sent to the upstream as `_meta`. */
  meta?: McpObject;
  /**
   * The kinds of questions that the caller can answer, and its answers. With it, the result may be an `input_required`.
   */
  asking?: InputContext;
  /**
   * Passes a question of the upstream to the caller while the request is in progress; absent if the caller cannot be
   * asked.
   */
  ask?: (question: UpstreamQuestion) => void;
  /** Ends the request with this error, even while it waits for an answer to a question; set together with `ask`. */
  end?: (fault: Fault) => void;
  /**
   * Called with the id of an elicitation when a person has finished at the URL that it asked to open; absent if the
   * caller does not want to know.
   */
  completed?: (elicitationId: string) => void;
  /** If set, the call is made as a task with these properties (2025-11-25). */
  task?: McpObject;
  /** Receives what is measured of the call; undefined unless something observes the traffic. */
  observed?: ObservedRequest | undefined;
}

/**
 * Copies the members of a forwarded request, except its signal, to another request. They are set one by one, because a
 * spread would make calls measurably slower.
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
  if (from.observed) to.observed = from.observed;
  return to;
}
