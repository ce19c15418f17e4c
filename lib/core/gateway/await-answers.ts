import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type App, part } from "../app.ts";
import { canonicalJson } from "../base/canonical.ts";
import { isJsonObject } from "../base/json-object.ts";
import { ownerKey } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { EndQuestion, QuestionOutcome } from "../schema/question-outcome.ts";
import { outcomeOfAnswer } from "./record-question.ts";
import type { GatewayCall } from "./stages/stage.ts";

/**
 * How long the proxy waits for a client's next request and accepts its state, because a person may take a while. (ms)
 */
export const NEXT_REQUEST_MS = 30 * 60_000;

/** The questions of one result (2026-07-28), by the upstream's keys: the function that records the outcome of each. */
type AskedQuestions = ReadonlyMap<string, EndQuestion>;

interface Round {
  readonly questions: AskedQuestions;
  stopTimer(): void;
}

/** Maximum number of open questions. The record of each, of up to 65,536 characters, is kept in memory. */
const MAX_OPEN = 500;
/** Maximum number of open results for equal requests. */
const MAX_EQUAL = 4;
/** Maximum number of answers that are read from one request. */
const MAX_ANSWERS = 64;

/**
 * Results with questions that were sent to 2026-07-28 clients. The client sends the answers with a later request, if at
 * all.
 */
const rounds = part(
  "openQuestions",
  () =>
    new LRUCache<string, readonly Round[]>({
      maxSize: MAX_OPEN,
      sizeCalculation: (equal) => equal.reduce((sum, { questions }) => sum + questions.size, 0),
      dispose: (equal, _, reason) => {
        if (reason === "evict") for (const round of equal) end(round, FORGOTTEN);
      },
    }),
  (open) => {
    for (const round of [...open.values()].flat()) end(round, STOPPED);
    open.clear();
  },
);

const LATE: QuestionOutcome = { status: "error", reason: "no answer came within 30 minutes" };
const LEFT_OUT: QuestionOutcome = { status: "error", reason: "the client came back without an answer" };
const FORGOTTEN: QuestionOutcome = { status: "error", reason: "too many questions are open" };
const STOPPED: QuestionOutcome = { status: "error", reason: "the proxy was stopped before the answer came" };

/** Waits for the answers to the questions in a call's result. */
export function awaitAnswers(call: GatewayCall, { requestState }: McpObject, questions: AskedQuestions): void {
  const { taskRequest, asking } = call.request;
  if (asking?.questions) for (const [key, endQuestion] of questions) asking.questions.set(key, endQuestion);
  else if (!taskRequest) open(call.app, placeOf(call, requestState), questions);
  // The client may answer each question of a task with a separate request.
  else for (const [key, endQuestion] of questions) open(call.app, placeOf(call, key), new Map([[key, endQuestion]]));
}

/** Records the outcome of the questions that this request answers, before it is sent to the upstream. */
export function endAnswered(call: GatewayCall): void {
  const { app, request } = call;
  const { responses, questions, state } = request.asking ?? {};
  if (!responses) return;
  if (questions) endWith(questions, responses);
  else if (!request.taskRequest) answer(app, placeOf(call, state), responses);
  else for (const key of Object.keys(responses).slice(0, MAX_ANSWERS)) answer(app, placeOf(call, key), responses);
}

function open(app: App, place: string, questions: AskedQuestions): void {
  const equal = app.part(rounds).get(place) ?? [];
  if (equal.length === MAX_EQUAL) end(equal[0]!, FORGOTTEN);
  const stopTimer = app.clock.after(NEXT_REQUEST_MS, () => {
    forget(app, place, round);
    end(round, LATE);
  });
  const round: Round = { questions, stopTimer };
  app.part(rounds).set(place, [...equal.slice(1 - MAX_EQUAL), round]);
}

function answer(app: App, place: string, responses: McpObject): void {
  // The latest result is used: a client that gave up asks the same again.
  const round = app.part(rounds).get(place)?.at(-1);
  if (!round) return;
  forget(app, place, round);
  round.stopTimer();
  endWith(round.questions, responses);
}

function endWith(questions: AskedQuestions, responses: McpObject): void {
  for (const [key, endQuestion] of questions) {
    const result = Object.hasOwn(responses, key) ? responses[key] : undefined;
    endQuestion(isJsonObject(result) ? outcomeOfAnswer({ result }) : LEFT_OUT);
  }
}

function end({ questions, stopTimer }: Round, outcome: QuestionOutcome): void {
  stopTimer();
  for (const endQuestion of questions.values()) endQuestion(outcome);
}

function forget(app: App, place: string, round: Round): void {
  const open = app.part(rounds);
  const rest = (open.get(place) ?? []).filter((one) => one !== round);
  if (rest.length > 0) open.set(place, rest);
  else open.delete(place);
}

/**
 * Returns a key that is equal for a request and for the later request that brings the answers.
 *
 * @param mark the state that the upstream sent; for a question of a task, its key
 */
function placeOf({ by, item, request, server, tool }: GatewayCall, mark: unknown): string {
  const { taskRequest, args } = request;
  const asked = taskRequest
    ? ["task", taskRequest.params.taskId]
    : [item?.method ?? "tools/call", tool, canonicalJson(args)];
  return hash("sha256", JSON.stringify([ownerKey(by.caller), server, ...asked, mark ?? null]));
}
