import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { nearestWords } from "../base/nearest.ts";
import { directName } from "../catalog/direct-names.ts";
import { callUpstreamTool } from "../gateway/call.ts";
import { mapToolUris, unmapToolArguments } from "../gateway/map-tool-uris.ts";
import { recordBlockedCall } from "../gateway/record-blocked-call.ts";
import { suggestIds } from "../gateway/suggest-ids.ts";
import { visibleTo } from "../gateway/tool-snapshot.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { type Actor, ownerKey } from "../schema/caller.ts";
import { issueText, plainIssueText } from "../schema/issue.ts";
import {
  type InputContext,
  type McpObject,
  META_PREFIX,
  type Progress,
  RPC,
  RpcError,
  type RpcId,
} from "../schema/mcp.ts";
import type { ToolRow } from "../schema/tool.ts";
import { unknownField } from "../schema/unknown-fields.ts";
import { type DeclaredHeader, declaredHeaders } from "../upstream/protocol/param-headers.ts";
import { nobodyAnswers, type QuestionAnswer, type UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import type { StatelessClients } from "../verbs/sessions/stateless.ts";
import { resolveDirectName } from "../verbs/tools/resolve-direct-name.ts";
import { actorOf } from "./actor-of.ts";
import { headerMismatch } from "./envelope.ts";
import { createHeldCalls, type HeldState } from "./held-calls.ts";
import { canBeAsked } from "./input-required.ts";
import type { RequestContext } from "./request-context.ts";
import { paramHeadersMismatch } from "./request-headers.ts";
import { completedResult, faultResult, type ServerInfo, valueResult } from "./result.ts";
import { createRoundTrips, type RoundTripCall, STATE_REFUSED } from "./round-trips.ts";
import { invalidParams, rpcErrorText, rpcNotificationText, rpcResultText } from "./rpc.ts";
import type { McpSession } from "./sessions.ts";
import type { Passthrough, Tool } from "./tool.ts";

type Invoke = (turn: RequestContext, id: RpcId, params: McpObject) => Promise<string | undefined>;

/** What a `tools/call` asks for beside the tool's name. */
interface Wanted {
  args: McpObject;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  meta?: McpObject;
  asking?: InputContext;
  ask?: (question: UpstreamQuestion) => void;
}

/** A tool's result: the JSON text of one of ours, or one that is passed on. */
type Done = string | Passthrough;

/** The method `tools/call`: a built-in tool by its name, or in direct mode an upstream's tool. */
export function createInvoke(app: App, tools: readonly Tool[], info: ServerInfo, stateless: StatelessClients): Invoke {
  const builtIn = new Map(tools.map((t) => [t.name, t]));
  const finish = createRoundTrips(app, info);
  const held = createHeldCalls<Done | undefined>(app.clock);

  /** undefined when no such tool is offered here. */
  const run = async (turn: RequestContext, name: string, by: Actor, wanted: Wanted): Promise<Done | undefined> => {
    const tool = builtIn.get(name);
    if (
      tool?.spec.modes.includes(turn.mode) &&
      (tool.spec.offered?.({ app, caller: by.caller, mode: turn.mode }) ?? true)
    ) {
      const { caller, origin } = by;
      const input = check(tool, wanted.args);
      const { mode } = turn;
      const done = await tool.spec.run(given(wanted, { app, mode, caller, origin, input, signal: wanted.signal }));
      if (!isPassthrough(done)) return valueResult(done);
      turn.passedThrough = true;
      return done;
    }
    if (turn.mode !== "direct") return undefined;
    const id = resolveDirectName(app, by.caller, name);
    if (id === undefined) return undefined;
    if (turn.headers) checkParamHeaders(app, turn, id, wanted.args);
    const { signal } = wanted;
    const args = unmapToolArguments(app, id, wanted.args);
    const passthrough = mapToolUris(app, id, await callUpstreamTool(app, by, given(wanted, { id, args, signal })));
    turn.passedThrough = true;
    return { passthrough, id };
  };

  /** A call of a client of the 2026 family: it may be held while the client answers questions. */
  const holding = (
    turn: RequestContext,
    state: HeldState | undefined,
    wanted: Wanted,
    start: (wanted: Wanted) => Promise<Done | undefined>,
  ) => {
    const request = { owner: ownerKey(turn.requester.caller), signal: turn.abort.signal };
    const { capabilities = {}, responses } = wanted.asking ?? {};
    if (state) return held.resume(request, state, responses);
    const { onProgress } = wanted;
    let isOpen = true;
    // What the upstream reports later belongs to no request of the client.
    if (onProgress)
      wanted.onProgress = (progress) => {
        if (isOpen) onProgress(progress);
      };
    const begin = (ask: (question: UpstreamQuestion) => void) => {
      wanted.ask = (question) => (canBeAsked(capabilities, question) ? ask(question) : refuseQuestion(question));
      return start(wanted);
    };
    return held.begin(request, turn.abort, begin).finally(() => {
      isOpen = false;
    });
  };

  /** A call of a client of the 2025 family: it is asked on the event stream of this very call. */
  const asking2025 = async (
    turn: RequestContext,
    session: McpSession,
    wanted: Wanted,
    run: (wanted: Wanted) => Promise<Done | undefined>,
  ): Promise<Done | undefined> => {
    const { capabilities } = session;
    const ask = (question: UpstreamQuestion) => {
      if (!turn.deliver || !canBeAsked(capabilities, question)) return refuseQuestion(question);
      session.questions.ask(forOlderClient(question), turn.deliver);
    };
    let input: InputContext = { capabilities, isSession: true };
    for (let round = 0; ; round++) {
      const done = await run({ ...wanted, ask, asking: input });
      if (done === undefined || typeof done === "string") return done;
      const { result } = done.passthrough;
      if (result?.resultType !== "input_required" || turn.abort.signal.aborted) return done;
      const server = splitToolId(done.id ?? "")?.server ?? info.name;
      if (round === MAX_ROUNDS) throw new Fault("upstream_failed", { server, reason: "it asks for input without end" });
      const { inputRequests = {}, requestState } = finish.relayed(server, capabilities, result);
      const responses = await answersTo(server, inputRequests as McpObject, ask);
      input = {
        capabilities,
        isSession: true,
        responses,
        ...(typeof requestState === "string" && { state: requestState }),
      };
    }
  };

  return async (turn, id, params) => {
    const { name, arguments: args = {}, _meta: meta } = params;
    if (typeof name !== "string") return refused(id, "name must be a string");
    if (!isJsonObject(args)) return refused(id, "arguments must be an object");
    if (meta !== undefined && !isJsonObject(meta)) return refused(id, "_meta must be an object");
    const { session, abort, envelope } = turn;
    const asked: RoundTripCall | undefined = envelope && { turn, name, args };
    const wanted = wantedOf(turn, args, meta);
    let answered: HeldState | undefined;
    if (asked) {
      const asking = finish.asking(asked, params);
      if (typeof asking === "string") return refused(id, asking);
      wanted.asking = asking.input;
      answered = asking.held;
    }
    const running = envelope ? turn.running : session?.running;
    running?.set(id, abort);
    const by = actorOf(app, turn, stateless);
    try {
      let done: Done | undefined;
      if (asked && wanted.asking && Object.keys(wanted.asking.capabilities).length > 0) {
        const outcome = await holding(turn, answered, wanted, (more) => run(turn, name, by, more));
        if (!outcome) return refused(id, STATE_REFUSED);
        if ("questions" in outcome && !abort.signal.aborted)
          return rpcResultText(id, finish.questions(asked, outcome.questions, outcome.state));
        done = "done" in outcome ? outcome.done : undefined;
      } else if (session && canAsk(turn, session)) {
        done = await asking2025(turn, session, wanted, (more) => run(turn, name, by, more));
      } else done = await run(turn, name, by, wanted);
      if (abort.signal.aborted) return ended(turn, id, info);
      if (done === undefined) return unknown(app, { turn, by }, id, name, wanted);
      if (asked) return rpcResultText(id, finish.result(asked, done));
      return rpcResultText(id, typeof done === "string" ? done : done.passthrough.raw);
    } catch (error) {
      if (abort.signal.aborted) return ended(turn, id, info);
      return failure(app, turn, id, name, error, info);
    } finally {
      if (running?.get(id) === abort) running.delete(id);
    }
  };
}

/** Rounds of questions that one call may take. */
const MAX_ROUNDS = 10;

const canAsk = ({ deliver }: RequestContext, { capabilities }: McpSession) =>
  deliver !== undefined && Object.keys(capabilities).length > 0;

const refuseQuestion = (question: UpstreamQuestion) =>
  question.answer(nobodyAnswers(question.method, "the client did not declare that it can be asked this"));

/** A question about an address has an id in the 2025 family. */
function forOlderClient(question: UpstreamQuestion): UpstreamQuestion {
  const { params } = question;
  if (params.mode === "url" && params.elicitationId === undefined)
    (question as { params: McpObject }).params = { ...params, elicitationId: randomUUID() };
  return question;
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

/** A name that is offered nowhere to this caller is refused, and written down for whoever looks for probing. */
function unknown(
  app: App,
  { turn, by }: { turn: RequestContext; by: Actor },
  id: RpcId,
  name: string,
  { args, signal }: Wanted,
): string {
  const request = { id: name, args, signal };
  const detail = "unknown tool";
  recordBlockedCall(app, by, { server: "", tool: name, request, reason: "not_found", detail });
  return refused(id, `Unknown tool: ${name.slice(0, 200)}${hint(app, turn, name)}`);
}

/** What the name may have meant, as this endpoint would have it called. */
function hint(app: App, { mode, requester }: RequestContext, name: string): string {
  const ids = suggestIds(app, requester.caller, name);
  if (ids.length === 0) return "";
  if (mode === "direct") {
    const nameOf = (id: string) => {
      const row = app.catalog.get(id);
      return row ? directName(row) : id;
    };
    return `; did you mean ${ids.map(nameOf).join(" or ")}?`;
  }
  const way = mode === "code_execution" ? "a script's call_tool" : "the tool in its call_with, by id";
  return `; call upstream tools with ${way}: did you mean ${ids.join(" or ")}?`;
}

/** A client that cancelled or left is told nothing; when it was us, it is told why. */
function ended({ abort, envelope }: RequestContext, id: RpcId, info: ServerInfo): string | undefined {
  const { reason } = abort.signal;
  return reason instanceof Fault ? rpcResultText(id, refusal(reason, envelope && info)) : undefined;
}

/** A refusal as a tool result; `info` is given where the era wants a result to say who answers. */
function refusal(fault: Fault, info: ServerInfo | undefined): string {
  return info ? completedResult(faultResult(fault, info)) : faultResult(fault);
}

/** A refusal is a result the model can read; an upstream's own protocol error stays one, code and data kept. */
function failure(app: App, turn: RequestContext, id: RpcId, tool: string, error: unknown, info: ServerInfo): string {
  if (error instanceof Fault) return rpcResultText(id, refusal(error, turn.envelope && info));
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    if (turn.envelope && code === RPC.missingCapability) turn.status = 400;
    return rpcErrorText(id, { code, message, ...(data !== undefined && { data }) });
  }
  const { requestId } = turn.requester;
  const stack = error instanceof Error ? error.stack : String(error);
  app.log.error(`the tool ${tool} failed inside the proxy`, { request_id: requestId, stack });
  return rpcErrorText(id, { code: RPC.internal, message: "Internal error", data: { request_id: requestId } });
}

/**
 * What is asked for; of `_meta` without its progress token, which names this connection's request, and without what a
 * client of the 2026 era tells the proxy of itself.
 */
function wantedOf(turn: RequestContext, args: McpObject, meta: McpObject | undefined): Wanted {
  const wanted: Wanted = { args, signal: turn.abort.signal };
  if (!meta) return wanted;
  const { progressToken, ...rest } = meta;
  const { notify, envelope } = turn;
  if (envelope) for (const key of Object.keys(rest)) if (key.startsWith(META_PREFIX)) delete rest[key];
  if (Object.keys(rest).length > 0) wanted.meta = rest;
  if (notify && (typeof progressToken === "string" || typeof progressToken === "number"))
    wanted.onProgress = (progress) =>
      notify(rpcNotificationText("notifications/progress", { ...progress, progressToken }));
  return wanted;
}

/** Hands on what was asked for beside the arguments. Set one by one: a spread shows in the cost of a call. */
function given<T extends Partial<Wanted>>(from: Wanted, to: T): T {
  if (from.onProgress) to.onProgress = from.onProgress;
  if (from.meta) to.meta = from.meta;
  if (from.asking) to.asking = from.asking;
  if (from.ask) to.ask = from.ask;
  return to;
}

function check(tool: Tool, args: McpObject): unknown {
  const misspelt = unknownParameter(tool, args);
  if (misspelt !== undefined) throw new Fault("invalid_args", { reason: `${tool.name}: ${misspelt}` });
  const checked = v.safeParse(tool.spec.input, args, { message: plainIssueText });
  if (checked.success) return checked.output;
  const reasons = checked.issues.slice(0, 3).map((issue) => issueText([issue]));
  throw new Fault("invalid_args", { reason: `${tool.name}: ${reasons.join("; ")}` });
}

/** A parameter that the tool does not take would be ignored, which a model takes for obedience. */
function unknownParameter({ spec, inputSchema }: Tool, args: McpObject): string | undefined {
  const known = Object.keys((inputSchema.properties ?? {}) as object);
  const taken = new Set([...known, ...(spec.alsoTakes ?? [])]);
  const name = Object.keys(args).find((key) => !taken.has(key));
  if (name === undefined) return unknownField(spec.input, args);
  const [near] = name.length <= MAX_NAME_CHARACTERS ? nearestWords(name, taken, 1) : [];
  const shown = name.slice(0, MAX_NAME_CHARACTERS);
  return `unknown parameter "${shown}"; allowed: ${known.join(", ") || "none"}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** Of a parameter's name that is compared and quoted (characters). */
const MAX_NAME_CHARACTERS = 100;

function isPassthrough(value: unknown): value is Passthrough {
  return isJsonObject(value) && "passthrough" in value;
}

/** A tool's arguments against the headers that are to repeat them, where its listed schema says so. (2026-07-28) */
function checkParamHeaders(app: App, turn: RequestContext, id: string, args: McpObject): void {
  const row = app.catalog.get(id);
  // In short lists there are no schemas; and of what a caller is not shown, nothing is said by asking for a header.
  if (!row || !turn.headers || app.config.current().direct_tool_response_mode === "deferred") return;
  const declared = declaredBy(row);
  if (declared.length === 0 || !visibleTo(app, turn.requester.caller)(row)) return;
  const reason = paramHeadersMismatch(turn.headers, declared, args);
  if (reason === undefined) return;
  turn.status = 400;
  throw new RpcError(headerMismatch(reason).error);
}

function declaredBy(row: ToolRow): readonly DeclaredHeader[] {
  let declared = declarations.get(row);
  if (!declared) {
    declared = declaredHeaders(row.inputSchema);
    declarations.set(row, declared);
  }
  return declared;
}

// Rows are replaced, never changed.
const declarations = new WeakMap<ToolRow, readonly DeclaredHeader[]>();

function refused(id: RpcId, reason: string): string {
  return rpcErrorText(id, invalidParams(reason));
}
