import { LRUCache } from "lru-cache";
import { part } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import { recordQuestion } from "./record-question.ts";
import { maskedQuestion, screenQuestion } from "./screen-question.ts";
import type { GatewayCall } from "./stages/stage.ts";

/** Questions of one result. */
const MAX_QUESTIONS = 16;

/** Whether a result asks for input (2026-07-28, multi round-trip requests), or is a task that does. */
export function isInputRequired(result: unknown): boolean {
  return isJsonObject(result) && (result.resultType === "input_required" || result.status === "input_required");
}

/**
 * Makes of an upstream's `input_required` one whose questions the client may be shown, and records the questions. What is
 * no question stays as it is: whoever passes the result on rejects it.
 *
 * @throws Fault upstream_failed one of the questions may not be passed on, or there are too many
 */
export function screenInputRequired(call: GatewayCall, reply: Reply<CallToolResult>): Reply<CallToolResult> {
  const { inputRequests } = reply.result;
  if (!isJsonObject(inputRequests)) return reply;
  const requests = Object.entries(inputRequests);
  if (requests.length > MAX_QUESTIONS)
    throw failed(call, `it asks ${requests.length} questions at once; at most ${MAX_QUESTIONS} are passed on`);
  const screened = requests.map(([key, request]) => [key, screenedRequest(call, key, request)]);
  const result = { ...reply.result, inputRequests: Object.fromEntries(screened) };
  return { result, raw: JSON.stringify(result) };
}

function screenedRequest(call: GatewayCall, key: string, request: unknown): unknown {
  if (!isJsonObject(request) || typeof request.method !== "string") return request;
  const { method, params } = request;
  const given = maskedQuestion(isJsonObject(params) ? params : {}, call.mask);
  const shown = screenQuestion(call.app, call.server, method, given);
  const isRepeated = wasAskedInTask(call, key);
  if ("refused" in shown) {
    if (!isRepeated) recordQuestion(call, { method, params: given }, { status: "blocked", reason: shown.refused });
    throw failed(call, `it asks for input, which was not passed on: ${shown.refused}`);
  }
  // The answer comes with another request, which has a record of its own.
  if (!isRepeated) recordQuestion(call, { method, params: shown.params }, { status: "success" });
  return params === undefined ? request : { ...request, params: shown.params };
}

/** The questions of tasks that were recorded. A task shows its open questions each time that the client looks at it. */
const askedInTasks = part("askedInTasks", () => new LRUCache<string, true>({ max: 5000 }));

function wasAskedInTask({ app, server, request: { taskRequest } }: GatewayCall, key: string): boolean {
  if (!taskRequest) return false;
  const asked = app.part(askedInTasks);
  const id = JSON.stringify([server, taskRequest.params.taskId, key]);
  const isKnown = asked.has(id);
  asked.set(id, true);
  return isKnown;
}

function failed({ server }: GatewayCall, reason: string): Fault {
  return new Fault("upstream_failed", { server, reason });
}
