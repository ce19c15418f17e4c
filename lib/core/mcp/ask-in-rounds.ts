import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { screenQuestion } from "../gateway/screen-question.ts";
import type { InputContext, McpObject } from "../schema/mcp.ts";
import type { QuestionAnswer, UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { relayInputRequired } from "./input-required.ts";

/** A client that is asked while its one request stays open. */
interface AskedClient {
  readonly capabilities: McpObject;
  ask(question: UpstreamQuestion): void;
  /** Aborted when the client does not wait for the result any more. */
  readonly signal: AbortSignal;
}

/** The outcome of one attempt. */
interface Attempt {
  /** The upstream that was asked. */
  readonly server: string;
  readonly result: unknown;
}

/** Rounds of questions that one request may take. */
const MAX_ROUNDS = 10;

/**
 * Makes a request for a client that does not know `input_required`: the proxy asks the client itself and repeats the
 * request with the answers.
 *
 * @param attempt makes the request once; its outcome is undefined when there is nothing to ask
 * @throws Fault upstream_failed the upstream asks too often, or one of its questions was not answered
 */
export async function askInRounds<D>(
  app: Pick<App, "config" | "catalog">,
  { capabilities, ask, signal }: AskedClient,
  attempt: (input: InputContext) => Promise<D>,
  outcomeOf: (done: D) => Attempt | undefined,
): Promise<D> {
  let input: InputContext = { capabilities, isSession: true };
  for (let round = 0; ; round++) {
    const done = await attempt(input);
    const { server, result } = outcomeOf(done) ?? {};
    if (server === undefined || !isJsonObject(result) || result.resultType !== "input_required") return done;
    if (signal.aborted) return done;
    if (round === MAX_ROUNDS) throw new Fault("upstream_failed", { server, reason: "it asks for input without end" });
    const screen = (method: string, params: McpObject) => screenQuestion(app, server, method, params);
    const relayed = { server, capabilities, screen, seal: (state: string) => state };
    const { inputRequests = {}, requestState } = JSON.parse(relayInputRequired(result, relayed)) as McpObject;
    const responses = await answersTo(server, inputRequests as McpObject, ask);
    input = {
      capabilities,
      isSession: true,
      responses,
      ...(typeof requestState === "string" && { state: requestState }),
    };
  }
}

/** What the client says to all questions of one round. @throws Fault upstream_failed one of them has no answer */
async function answersTo(
  server: string,
  requests: McpObject,
  ask: (question: UpstreamQuestion) => void,
): Promise<McpObject> {
  const answers = Object.entries(requests).map(
    ([key, request]) =>
      new Promise<[string, QuestionAnswer]>((done) => {
        const { method, params = {} } = request as { method: string; params?: McpObject };
        ask({ method, params, onWithdrawn: undefined, answer: (said) => done([key, said]) });
      }),
  );
  return Object.fromEntries(
    (await Promise.all(answers)).map(([key, said]) => {
      if ("result" in said) return [key, said.result];
      throw new Fault("upstream_failed", { server, reason: `its question was not answered: ${said.error.message}` });
    }),
  );
}
