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

/** A `tools/call`, `prompts/get` or `resources/read`: a request in which an upstream may ask the client. */
export interface AskableRequest extends RoundTripCall {
  /** As the client sent them. */
  readonly params: McpObject;
}

/** An answer: the JSON text of a result of the proxy, or an upstream's result. */
export type Answered = string | Passthrough;

/** Makes the request, for as many attempts as it takes; undefined where there is nothing of that name. */
type AttemptRequest = (forwarded: ForwardedRequest) => Promise<Answered | undefined>;

/** The requests whose clients may be asked, in the way of each client's protocol version. */
export interface AskableRequests {
  /**
   * Makes a request.
   *
   * @returns the JSON text of the result: complete, or questions for the client; undefined where there is nothing of that
   *   name and where the client does not wait any more
   * @throws RpcError -32602 the state or answers in the params are invalid, -32021 the client cannot be asked this
   * @throws Fault upstream_failed, and whatever `attempt` throws
   */
  make(request: AskableRequest, forwarded: ForwardedRequest, attempt: AttemptRequest): Promise<string | undefined>;
  /** The JSON text of an answer as the client's protocol version wants it. */
  textOf(request: RoundTripCall, done: Answered): string | Promise<string>;
  /** Ends the calls that wait for answers of callers whom `faultOf` gives a reason for. */
  endHeld(faultOf: (caller: Caller) => Fault | undefined): void;
}

/** Whether the client may be asked, or its request be an answer: all others need none of this. */
export function isAskable({ envelope, session, deliver }: RequestContext): boolean {
  return (
    envelope !== undefined ||
    (session !== undefined && deliver !== undefined && Object.keys(session.capabilities).length > 0)
  );
}

export function createAskableRequests(app: App, info: ServerInfo): AskableRequests {
  const trips = createRoundTrips(app, info);
  const held = createHeldCalls<Answered | undefined>(app.clock);

  /** For a client of the 2026 family: the request may be held while the client answers questions in requests of its own. */
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
    // What the upstream reports later belongs to no request of the client.
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
        // The 2026 family has no ids of questions about addresses.
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

  /** For a client of the 2025 family: it is asked on the event stream of this very request. */
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

/** Of a call that was held: a new attempt could make the tool act twice, so the proxy leaves that to the client. */
const CALL_IS_OVER =
  "the call that requestState belongs to is over, because its result was fetched more than a minute ago, nobody answered in time, or the proxy was restarted; the tool may have acted already; to call it again, repeat the request without requestState";

const refuseQuestion = (question: UpstreamQuestion) =>
  question.refuse("the client did not declare that it can be asked this");

/** A question about an address has an id in the 2025 family. */
function forOlderClient(question: UpstreamQuestion): UpstreamQuestion {
  const { params } = question;
  if (params.mode === "url" && params.elicitationId === undefined)
    (question as { params: McpObject }).params = { ...params, elicitationId: randomUUID() };
  return question;
}
