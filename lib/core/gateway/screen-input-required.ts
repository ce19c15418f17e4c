import { LRUCache } from "lru-cache";
import { part } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { CallToolResult, McpObject, Reply } from "../schema/mcp.ts";
import type { EndQuestion } from "../schema/question-outcome.ts";
import { awaitAnswers } from "./await-answers.ts";
import { canBeAsked } from "./can-be-asked.ts";
import { recordQuestion } from "./record-question.ts";
import { maskedQuestion, screenQuestion } from "./screen-question.ts";
import type { GatewayCall } from "./stages/stage.ts";

/** Maximum number of questions in one result. */
const MAX_QUESTIONS = 16;

/** True if a result asks for input (2026-07-28, multi round-trip requests), or is a task that does. */
export function isInputRequired(result: unknown): boolean {
  return isJsonObject(result) && (result.resultType === "input_required" || result.status === "input_required");
}

/**
 * Checks the questions in an upstream's `input_required` result and returns the result with those texts that the client
 * may be shown. The questions are recorded with their outcomes. An entry that is not a valid question stays unchanged;
 * the code that sends the result to the client rejects it.
 *
 * @throws Fault upstream_failed if a question may not be passed on, or if there are too many
 */
export function screenInputRequired(call: GatewayCall, reply: Reply<CallToolResult>): Reply<CallToolResult> {
  const { inputRequests } = reply.result;
  if (!isJsonObject(inputRequests)) return reply;
  const requests = Object.entries(inputRequests);
  if (requests.length > MAX_QUESTIONS)
    throw failed(call, `it asks ${requests.length} questions at once; at most ${MAX_QUESTIONS} are passed on`);
  const screened = requests.map(([key, request]) => screenedRequest(call, key, request));
  const refused = screened.find((one) => one.refused !== undefined)?.refused;
  // The client gets either all questions of a result or none.
  const isPassedOn = refused === undefined && screened.every(({ isDeclared }) => isDeclared);
  const questions = new Map<string, EndQuestion>();
  for (const one of screened) {
    if (!one.question || wasAskedInTask(call, one.key)) continue;
    const end = recordQuestion(call, one.question);
    if (isPassedOn) questions.set(one.key, end);
    else end({ status: "blocked", reason: one.refused ?? (one.isDeclared ? NOT_ALONE : NOT_DECLARED) });
  }
  if (refused !== undefined) throw failed(call, `it asks for input, which was not passed on: ${refused}`);
  if (questions.size > 0) {
    call.asked = questions;
    awaitAnswers(call, reply.result, questions);
  }
  const result = { ...reply.result, inputRequests: Object.fromEntries(screened.map(({ key, shown }) => [key, shown])) };
  return { result, raw: JSON.stringify(result) };
}

const NOT_DECLARED = "the client did not declare that it can be asked this";
const NOT_ALONE = "another question of the same result could not be passed on";

interface ScreenedRequest {
  readonly key: string;
  /** The question as the client gets it. */
  readonly shown: unknown;
  /** Absent if the entry is not a valid question. */
  readonly question?: { readonly method: string; readonly params: McpObject };
  readonly refused?: string;
  /** True if the client declared that it can be asked this question. */
  readonly isDeclared: boolean;
}

function screenedRequest(call: GatewayCall, key: string, request: unknown): ScreenedRequest {
  if (!isJsonObject(request) || typeof request.method !== "string") return { key, shown: request, isDeclared: false };
  const { method, params } = request;
  const isDeclared = canBeAsked(call.request.asking?.capabilities ?? {}, request);
  const masked = maskedQuestion(isJsonObject(params) ? params : {}, call.mask);
  const screened = screenQuestion(call.app, call.server, method, masked);
  if ("refused" in screened)
    return { key, shown: request, question: { method, params: masked }, refused: screened.refused, isDeclared };
  const shown = params === undefined ? request : { ...request, params: screened.params };
  return { key, shown, question: { method, params: screened.params }, isDeclared };
}

/**
 * The questions of tasks that are already recorded. A task contains its open questions each time the client requests
 * its state.
 */
const askedInTasks = part("askedInTasks", () => new LRUCache<string, true>({ max: 5000 }));

function wasAskedInTask({ app, server, request: { taskRequest } }: GatewayCall, key: string): boolean {
  if (!taskRequest) return false;
  const askedIds = app.part(askedInTasks);
  const id = JSON.stringify([server, taskRequest.params.taskId, key]);
  const isKnown = askedIds.has(id);
  askedIds.set(id, true);
  return isKnown;
}

function failed({ server }: GatewayCall, reason: string): Fault {
  return new Fault("upstream_failed", { server, reason });
}
