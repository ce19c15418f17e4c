import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { endWithServer } from "../gateway/end-with-server.ts";
import { outcomeOfAnswer } from "../gateway/record-question.ts";
import { ANSWER_MS, NOT_ANSWERED } from "../gateway/relay-question.ts";
import type { InputContext, McpObject } from "../schema/mcp.ts";
import type { EndQuestion } from "../schema/question-outcome.ts";
import { nobodyAnswers, type QuestionAnswer, type UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { relayInputRequired } from "./input-required.ts";

/** A client that can be asked while its request stays open. */
interface AskedClient {
  readonly app: Pick<App, "clock" | "config">;
  readonly capabilities: McpObject;
  ask(question: UpstreamQuestion): void;
  /** Aborts when the client no longer waits for the result. */
  readonly signal: AbortSignal;
}

/** The outcome of one attempt. */
interface AttemptOutcome {
  /** The upstream that may have asked. */
  readonly server: string;
  readonly result: unknown;
}

/** Maximum number of times that the client is asked during one request. */
const MAX_ROUNDS = 10;

/**
 * Makes a request that an upstream of 2026-07-28 may answer with `input_required`, for a client that can be asked while
 * its request stays open: the proxy asks the client and repeats the request with the answers.
 *
 * @param attempt makes the request once
 * @param outcomeOf returns the outcome of an attempt; undefined if it contains no questions
 * @throws Fault cancelled
 * @throws Fault upstream_failed if the upstream asks too often, or one of its questions was not answered
 */
export async function askInRounds<D>(
  client: AskedClient,
  attempt: (input: InputContext) => Promise<D>,
  outcomeOf: (done: D) => AttemptOutcome | undefined,
): Promise<D> {
  const { capabilities, signal } = client;
  const questions = new Map<string, EndQuestion>();
  let input: InputContext = { capabilities, questions };
  try {
    for (let round = 0; ; round++) {
      const done = await attempt(input);
      const { server, result } = outcomeOf(done) ?? {};
      if (server === undefined || !isJsonObject(result) || result.resultType !== "input_required") return done;
      if (signal.aborted) return done;
      if (round === MAX_ROUNDS) throw new Fault("upstream_failed", { server, reason: "it asks for input without end" });
      const relayed = { server, capabilities, seal: (state: string) => state };
      const { inputRequests = {}, requestState } = JSON.parse(relayInputRequired(result, relayed)) as McpObject;
      const responses = await answersTo(server, inputRequests as McpObject, client, questions);
      input = {
        capabilities,
        questions,
        responses,
        ...(typeof requestState === "string" && { state: requestState }),
      };
    }
  } finally {
    const reason = signal.aborted ? "the client left" : "the request ended before the answer came";
    for (const end of questions.values()) end({ status: "error", reason });
  }
}

/**
 * Asks all questions of one result and returns the client's answers.
 *
 * @param ends record the outcomes of questions without an answer; the gateway records those of the others when it sees
 *   the answers
 * @throws Fault cancelled
 * @throws Fault upstream_failed if a question was not answered
 */
async function answersTo(
  server: string,
  requests: McpObject,
  client: AskedClient,
  ends: ReadonlyMap<string, EndQuestion>,
): Promise<McpObject> {
  const over = new AbortController();
  const stopWatch = endWithServer(client.app, server, (fault) => over.abort(fault));
  const signal = AbortSignal.any([client.signal, over.signal]);
  const answers = Object.entries(requests).map(async ([key, request]) => {
    const { method, params = {} } = request as { method: string; params?: McpObject };
    const end: EndQuestion = (outcome) => ends.get(key)?.(outcome);
    const said = await answerTo({ method, params, end }, { ...client, signal });
    if ("result" in said) return [key, said.result];
    end(outcomeOfAnswer(said));
    throw new Fault("upstream_failed", { server, reason: `its question was not answered: ${said.error.message}` });
  });
  try {
    return Object.fromEntries(await Promise.all(answers));
  } finally {
    stopWatch();
    // If one question is not answered, the others are withdrawn.
    over.abort();
  }
}

interface AskedQuestion {
  readonly method: string;
  readonly params: McpObject;
  /** Records the outcome if the question is not answered. */
  readonly end: EndQuestion;
}

/** Asks one question and waits for the answer as long as a person may take. @throws Fault cancelled */
function answerTo(
  { method, params, end }: AskedQuestion,
  { app: { clock }, ask, signal }: AskedClient,
): Promise<QuestionAnswer> {
  return new Promise((done, fail) => {
    const stop = () => {
      stopTimer();
      signal.removeEventListener("abort", left);
    };
    const question: UpstreamQuestion = {
      method,
      params,
      onWithdrawn: undefined,
      answer(said) {
        stop();
        done(said);
      },
      refuse(reason) {
        end({ status: "blocked", reason });
        question.answer(nobodyAnswers(method, reason));
      },
    };
    const left = () => {
      stop();
      question.onWithdrawn?.();
      fail(signal.reason instanceof Fault ? signal.reason : new Fault("cancelled"));
    };
    const stopTimer = clock.after(ANSWER_MS, () => {
      end({ status: "error", reason: NOT_ANSWERED });
      question.refuse(NOT_ANSWERED);
      question.onWithdrawn?.();
    });
    signal.addEventListener("abort", left, { once: true });
    ask(question);
  });
}
