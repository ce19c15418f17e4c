import { Fault } from "../base/fault.ts";
import { callInspector } from "../extension/call-inspector.ts";
import type { CallToolResult, McpObject, Reply } from "../schema/mcp.ts";
import type { QuestionOutcome } from "../schema/question-outcome.ts";
import { nobodyAnswers, type QuestionAnswer, type UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { endWithServer, serverLoss } from "./end-with-server.ts";
import { outcomeOfAnswer, recordQuestion } from "./record-question.ts";
import { maskedQuestion, screenQuestion } from "./screen-question.ts";
import type { GatewayCall } from "./stages/stage.ts";
import { withOwnElicitationId } from "./with-own-elicitation-id.ts";

/** How long a person may take to answer. (ms) */
export const ANSWER_MS = 10 * 60_000;

export const NOT_ANSWERED = "the question was not answered in time";

/**
 * Maximum number of questions of one call that wait for an answer, and of all its questions. Some clients answer
 * without a person, so a server might ask forever.
 */
const MAX_OPEN = 16;
const MAX_ASKED = 100;

/** The inspector takes the questions of a whole result; this is the key of the only one. */
const KEY = "question";

/**
 * Passes a question of an upstream to the caller of the call that it belongs to, and the answer back to the upstream.
 * The question is inspected like a response and the answer like arguments. The outcome is recorded.
 */
export async function relayQuestion(call: GatewayCall, question: UpstreamQuestion): Promise<void> {
  const { app, request, server } = call;
  const record = recordQuestion(call, question);
  call.questions ??= { asked: 0, open: 0 };
  const counts = call.questions;
  let isOver = false;

  const end = (said: QuestionAnswer | undefined, outcome: QuestionOutcome): void => {
    if (isOver) return;
    isOver = true;
    counts.open--;
    stopTimer();
    stopWatch();
    if (said) question.answer(said);
    record(outcome);
  };
  const refuse = (reason: string) => end(nobodyAnswers(question.method, reason), { status: "blocked", reason });
  const asked: UpstreamQuestion = {
    method: question.method,
    params: question.params,
    onWithdrawn: undefined,
    refuse,
    answer(said) {
      if (isOver) return;
      const checked = answerFault(call, said);
      if (!checked) return end(said, outcomeOfAnswer(said));
      checked.then(
        (reason) => (reason === undefined ? end(said, outcomeOfAnswer(said)) : refuse(reason)),
        () => refuse("the answer could not be inspected"),
      );
    },
  };
  const takeBack = (said: QuestionAnswer | undefined, outcome: QuestionOutcome) => {
    end(said, outcome);
    asked.onWithdrawn?.();
  };
  const stopTimer = app.clock.after(ANSWER_MS, () =>
    takeBack(nobodyAnswers(question.method, NOT_ANSWERED), { status: "error", reason: NOT_ANSWERED }),
  );
  const stopWatch = endWithServer(app, server, (fault) => {
    takeBack(nobodyAnswers(question.method, fault.message), { status: "error", reason: fault.message });
    request.end?.(fault);
  });
  question.onWithdrawn = () => takeBack(undefined, { status: "error", reason: withdrawalReason(call) });

  counts.asked++;
  counts.open++;
  if (counts.open > MAX_OPEN || counts.asked > MAX_ASKED) return refuse("the call asks too many questions");
  try {
    const screened = screenQuestion(app, server, question.method, maskedQuestion(question.params, call.mask));
    if ("refused" in screened) return refuse(screened.refused);
    const treated = await treatedParams(call, question.method, screened.params);
    if (!treated) return refuse("the question holds sensitive data");
    if (isOver) return;
    if (!request.ask) return refuse("the caller cannot be asked");
    request.ask({
      ...asked,
      params: withOwnElicitationId(call, treated),
      set onWithdrawn(act: (() => void) | undefined) {
        asked.onWithdrawn = act;
      },
      get onWithdrawn() {
        return asked.onWithdrawn;
      },
    });
  } catch (error) {
    refuse("the question could not be passed on");
    app.log.error(`a question of "${server}" was not passed on`, { server, stack: String((error as Error).stack) });
  }
}

function withdrawalReason({ app, server, request: { signal } }: GatewayCall): string {
  const { aborted, reason } = signal;
  if (!aborted) return serverLoss(app, server)?.message ?? "the server withdrew the question";
  return reason instanceof Fault ? reason.message : "the client left";
}

/** Inspects a question like a response of the server; undefined if it must be withheld. */
async function treatedParams(call: GatewayCall, method: string, params: McpObject): Promise<McpObject | undefined> {
  const inspector = call.app.part(callInspector);
  if (!inspector) return params;
  const result = { resultType: "input_required", inputRequests: { [KEY]: { method, params } } };
  const reply: Reply<CallToolResult> = { result, raw: JSON.stringify(result) };
  const { reply: inspected, fault } = await inspector.reply(call, reply);
  if (fault) return undefined;
  const treated = inspected.result as typeof result;
  return treated.inputRequests[KEY]?.params;
}

/**
 * Returns why an answer may not be sent to the server; undefined, instead of a promise, if answers are not inspected.
 */
function answerFault(call: GatewayCall, said: QuestionAnswer): Promise<string | undefined> | undefined {
  if ("error" in said) return undefined;
  const { server, tool, request } = call;
  const asking = { capabilities: {}, responses: { [KEY]: said.result } };
  const inspected = call.app
    .part(callInspector)
    ?.arguments({ server, tool, request: { id: request.id, args: {}, asking } });
  return inspected?.then(({ fault }) => fault?.message);
}
