import { randomUUID } from "node:crypto";
import type { App } from "../app.ts";
import type { Fault } from "../base/fault.ts";
import { canBeAsked } from "../gateway/can-be-asked.ts";
import type { ForwardedRequest } from "../gateway/forwarded-request.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import { type McpObject, RpcError } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { askInRounds } from "./ask-in-rounds.ts";
import { createHeldCalls, type HeldOutcome, type HeldState } from "./held-calls.ts";
import { canBeAskedAnything } from "./input-required.ts";
import type { RequestContext } from "./request-context.ts";
import type { ServerInfo } from "./result.ts";
import { createRoundTrips, type RoundTripCall } from "./round-trips.ts";
import { invalidParams, rpcNotificationText } from "./rpc.ts";
import type { McpSession } from "./sessions.ts";
import type { Passthrough } from "./tool.ts";

/** A `tools/call`, `prompts/get` or `resources/read` request, during which an upstream may ask the client questions. */
interface AskableRequest extends RoundTripCall {
  /** The params that the client sent. */
  readonly params: McpObject;
}

/** The result of a request: JSON text made by the proxy, or an upstream's result. */
export type Answered = string | Passthrough;

/**
 * Makes the request; called again after the client has answered questions. Undefined if the requested item does not
 * exist.
 */
type AttemptRequest = (forwarded: ForwardedRequest) => Promise<Answered | undefined>;

/** Makes requests during which the client may be asked questions, in the way of the client's protocol version. */
export interface QuestionRouter {
  /**
   * Makes a request.
   *
   * @returns the JSON text of the result, which is complete or contains questions for the client; undefined if the
   *   requested item does not exist, or if the client no longer waits
   * @throws RpcError -32602 if the state or the answers in the params are invalid; -32021 if the client cannot be asked
   * @throws Fault upstream_failed; the errors of `attempt`
   */
  make(request: AskableRequest, forwarded: ForwardedRequest, attempt: AttemptRequest): Promise<string | undefined>;
  /** Returns the JSON text of a result in the form of the client's protocol version. */
  textOf(request: RoundTripCall, done: Answered): string | Promise<string>;
  /** Ends the calls that wait for answers, for callers for whom `faultOf` returns a reason. */
  endHeld(faultOf: (caller: Caller) => Fault | undefined): void;
}

/**
 * True if the client can be asked questions, or if its request may contain answers. All other requests can be made
 * without this file.
 */
export function isAskable({ envelope, session, deliver }: RequestContext): boolean {
  return (
    envelope !== undefined ||
    (session !== undefined && deliver !== undefined && Object.keys(session.capabilities).length > 0)
  );
}

export function createQuestionRouter(app: App, info: ServerInfo): QuestionRouter {
  const trips = createRoundTrips(app, info);
  const held = createHeldCalls<Answered | undefined>(app.clock);

  /**
   * Makes a request for a client of 2026-07-28. If the upstream asks a question while its call is in progress, the
   * client's request is answered with the question, and the call stays open until another request brings the answer.
   */
  const hold = (
    { turn }: AskableRequest,
    state: HeldState | undefined,
    forwarded: ForwardedRequest,
    attempt: AttemptRequest,
  ): Promise<HeldOutcome<Answered | undefined>> | undefined => {
    const request = { caller: turn.requester.caller, signal: turn.abort.signal };
    const { capabilities = {}, responses } = forwarded.asking ?? {};
    if (state) return held.resume(request, state, responses);
    const { onProgress, logs } = forwarded;
    let isOpen = true;
    // After the response, later reports of the upstream belong to no request of the client.
    if (onProgress)
      forwarded.onProgress = (progress) => {
        if (isOpen) onProgress(progress);
      };
    if (logs)
      forwarded.logs = {
        level: logs.level,
        receive: (message) => {
          if (isOpen) logs.receive(message);
        },
      };
    const begin = (ask: (question: UpstreamQuestion) => void) => {
      forwarded.ask = (question) => {
        if (!canBeAsked(capabilities, question)) return refuseQuestion(question);
        // In 2026-07-28, questions about URLs have no id.
        const { elicitationId: _, ...params } = question.params;
        (question as { params: McpObject }).params = params;
        ask(question);
      };
      forwarded.end = (fault) => turn.abort.abort(fault);
      return attempt(forwarded);
    };
    return held.begin(request, turn.abort, begin).finally(() => {
      isOpen = false;
    });
  };

  /**
   * Makes a request for a client with a session (up to 2025-11-25), which is asked on the event stream of this request.
   */
  const askSession = (
    { turn }: AskableRequest,
    session: McpSession,
    forwarded: ForwardedRequest,
    attempt: AttemptRequest,
  ): Promise<Answered | undefined> => {
    const { capabilities, questions } = session;
    const ask = (question: UpstreamQuestion) => {
      if (!turn.deliver || !canBeAsked(capabilities, question)) return refuseQuestion(question);
      questions.ask(forOlderClient(question), turn.deliver);
    };
    const end = (fault: Fault) => turn.abort.abort(fault);
    const completed = (elicitationId: string) =>
      session.outlets.at(-1)?.send(rpcNotificationText("notifications/elicitation/complete", { elicitationId }));
    return askInRounds(
      { app, capabilities, ask, signal: turn.abort.signal },
      (asking) => attempt({ ...forwarded, ask, end, completed, asking }),
      (done) => {
        if (done === undefined || typeof done === "string") return undefined;
        return { server: splitToolId(done.id ?? "")?.server ?? info.name, result: done.passthrough.result };
      },
    );
  };

  const textOf = (request: RoundTripCall, done: Answered) => {
    if (request.turn.envelope) return trips.result(request, done);
    return typeof done === "string" ? done : done.passthrough.raw;
  };

  const makeOlder = async (request: AskableRequest, forwarded: ForwardedRequest, attempt: AttemptRequest) => {
    const { session } = request.turn;
    const isAsked = session && isAskable(request.turn);
    const done = await (isAsked ? askSession(request, session, forwarded, attempt) : attempt(forwarded));
    return done === undefined ? undefined : textOf(request, done);
  };

  const makeNewer = async (request: AskableRequest, forwarded: ForwardedRequest, attempt: AttemptRequest) => {
    const { signal } = request.turn.abort;
    const { input, held: state } = await trips.asking(request, request.params);
    forwarded.asking = input;
    let done: Answered | undefined;
    if (canBeAskedAnything(input.capabilities)) {
      const outcome = await hold(request, state, forwarded, attempt);
      if (!outcome) throw new RpcError(invalidParams(CALL_IS_OVER));
      if ("questions" in outcome)
        return signal.aborted ? undefined : trips.questions(request, outcome.questions, outcome.state);
      done = outcome.done;
    } else done = await attempt(forwarded);
    return done === undefined || signal.aborted ? undefined : textOf(request, done);
  };

  return {
    make: (request, forwarded, attempt) => (request.turn.envelope ? makeNewer : makeOlder)(request, forwarded, attempt),
    textOf,
    endHeld: held.endWhere,
  };
}

/** The call is not repeated if its state is no longer known: the tool might act twice, so the client has to decide. */
const CALL_IS_OVER =
  "the call that requestState belongs to is over, because its result was fetched more than a minute ago, nobody answered in time, or the proxy was restarted; the tool may have acted already; to call it again, repeat the request without requestState";

const refuseQuestion = (question: UpstreamQuestion) =>
  question.refuse("the client did not declare that it can be asked this");

/** Gives a question about a URL an id, which protocol versions up to 2025-11-25 require. */
function forOlderClient(question: UpstreamQuestion): UpstreamQuestion {
  const { params } = question;
  if (params.mode === "url" && params.elicitationId === undefined)
    (question as { params: McpObject }).params = { ...params, elicitationId: randomUUID() };
  return question;
}
