import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { directName } from "../catalog/direct-names.ts";
import { takesTasks } from "../catalog/takes-tasks.ts";
import { mcpChallenge } from "../extension/mcp-challenge.ts";
import { type CallRequest, callUpstreamTool } from "../gateway/call.ts";
import { type ForwardedRequest, withForwarded } from "../gateway/forwarded-request.ts";
import { mapToolUris, unmapToolArguments } from "../gateway/map-tool-uris.ts";
import { recordBlockedCall } from "../gateway/record-blocked-call.ts";
import { suggestIds } from "../gateway/suggest-ids.ts";
import type { Actor, Caller } from "../schema/caller.ts";
import { type CallToolResult, type McpObject, type Reply, RPC, RpcError, type RpcId } from "../schema/mcp.ts";
import type { StatelessClients } from "../verbs/sessions/stateless.ts";
import { resolveDirectName } from "../verbs/tools/resolve-direct-name.ts";
import { actorOf } from "./actor-of.ts";
import { isAppHost } from "./app-host.ts";
import { awaitDirectName } from "./await-direct-name.ts";
import { checkParamHeaders } from "./check-param-headers.ts";
import { checkToolInput } from "./check-tool-input.ts";
import { createdTask } from "./created-task.ts";
import { type ExposedTools, exposedTools, resolveAppTool } from "./exposed-tools.ts";
import { errorTypeIn } from "./observe-requests.ts";
import { outliveCall } from "./outlive-call.ts";
import type { ProtocolParts } from "./protocol-methods.ts";
import { type Answered, isAskable, type QuestionRouter } from "./question-router.ts";
import { readForwardedRequest } from "./read-forwarded-request.ts";
import { reportOwnTask } from "./report-own-task.ts";
import type { RequestContext } from "./request-context.ts";
import { completedResult, faultResult, type ServerInfo, valueResult } from "./result.ts";
import { invalidParams, rpcErrorText, rpcResultText } from "./rpc.ts";
import type { Passthrough, Tool } from "./tool.ts";
import { withObjectContent } from "./with-object-content.ts";

type Invoke = (turn: RequestContext, id: RpcId, params: McpObject) => Promise<string | undefined>;

interface InvokeParts extends Pick<ProtocolParts, "app" | "info"> {
  readonly tools: readonly Tool[];
  readonly stateless: StatelessClients;
  readonly questions: QuestionRouter;
}

/** Makes the method `tools/call`. It runs a built-in tool by its name or an upstream's tool by its listed name. */
export function createInvoke({ app, tools, info, stateless, questions }: InvokeParts): Invoke {
  const builtIn = new Map(tools.map((t) => [t.name, t]));

  /**
   * Calls a tool. It makes one promise besides those of the call: an async function would cost twice as much memory.
   *
   * @returns undefined if no such tool is offered at this endpoint
   */
  const run = (
    turn: RequestContext,
    by: Actor,
    name: string,
    given: McpObject,
    forwarded: ForwardedRequest,
  ): Promise<Answered | undefined> | undefined => {
    const { mode } = turn;
    const { task } = forwarded;
    const tool = builtIn.get(name);
    if (tool?.spec.modes.includes(mode) && (tool.spec.offered?.({ app, caller: by.caller, mode }) ?? true)) {
      if (task) throw new RpcError(NO_TASKS);
      return runBuiltIn(turn, by, tool, given, forwarded);
    }
    const exposed = exposedTools(app, mode);
    if (exposed.isEmpty) return undefined;
    const id = exposedId(app, turn, by.caller, name, exposed);
    return id === undefined
      ? runWhenListed(turn, by, name, given, { forwarded, exposed })
      : runListed(turn, by, id, given, forwarded);
  };

  /** Calls a tool of a server that is connecting for the first time, so that its tools are not known yet. */
  const runWhenListed = (
    turn: RequestContext,
    by: Actor,
    name: string,
    given: McpObject,
    { forwarded, exposed }: { forwarded: ForwardedRequest; exposed: ExposedTools },
  ): Promise<Answered | undefined> | undefined => {
    const { caller } = by;
    const { signal } = forwarded;
    const find = () => exposedId(app, turn, caller, name, exposed);
    const awaited = awaitDirectName(app, { caller, name, exposed, signal, find });
    return awaited?.then((id) => (id === undefined ? undefined : runListed(turn, by, id, given, forwarded, true)));
  };

  const runListed = (
    turn: RequestContext,
    by: Actor,
    id: string,
    given: McpObject,
    forwarded: ForwardedRequest,
    hasWaited?: true,
  ): Promise<Answered> => {
    const { task } = forwarded;
    if (turn.headers) checkParamHeaders(app, turn, id, given);
    const row = app.catalog.get(id);
    if (task && row && !takesTasks(row)) throw new RpcError(NO_TASKS);
    const args = unmapToolArguments(app, id, given);
    return args instanceof Promise
      ? args.then((unmapped) => callUpstream(turn, by, id, unmapped, forwarded, hasWaited))
      : callUpstream(turn, by, id, args, forwarded, hasWaited);
  };

  const callUpstream = (
    turn: RequestContext,
    by: Actor,
    id: string,
    args: McpObject,
    forwarded: ForwardedRequest,
    hasWaited: true | undefined,
  ): Promise<Answered> => {
    const { signal } = forwarded;
    const request: CallRequest = withForwarded(forwarded, { id, args, signal, isAppHost: isAppHost(turn) });
    if (hasWaited) request.hasWaited = true;
    return callUpstreamTool(app, by, request).then((reply) => upstreamAnswer(app, turn, by, request, reply));
  };

  const runBuiltIn = async (
    turn: RequestContext,
    { caller, origin }: Actor,
    tool: Tool,
    given: McpObject,
    forwarded: ForwardedRequest,
  ): Promise<Answered> => {
    const { mode } = turn;
    const { signal } = forwarded;
    const input = checkToolInput(tool, given);
    const done = await tool.spec.run(withForwarded(forwarded, { app, mode, caller, origin, input, signal }));
    if (!isPassthrough(done)) return valueResult(done);
    turn.passedThrough = true;
    return turn.envelope ? done : { ...done, passthrough: withObjectContent(done.passthrough) };
  };

  return async (turn, id, params) => {
    const { name, arguments: args = {}, _meta: meta } = params;
    const { session, abort, envelope } = turn;
    const running = envelope ? turn.running : session?.running;
    let answered: (() => void) | undefined;
    let response: string | undefined;
    let hasResult = false;
    try {
      if (typeof name !== "string") throw new RpcError(invalidParams("name must be a string"));
      if (!isJsonObject(args)) throw new RpcError(invalidParams("arguments must be an object"));
      if (meta !== undefined && !isJsonObject(meta)) throw new RpcError(invalidParams("_meta must be an object"));
      running?.set(id, abort);
      const by = actorOf(app, turn, stateless);
      const forwarded = readForwardedRequest(turn, meta);
      const makesTask = !envelope && isJsonObject(params.task);
      if (makesTask) forwarded.task = params.task as McpObject;
      if (makesTask) answered = outliveCall(forwarded, session, meta);
      const text = isAskable(turn)
        ? await questions.make({ turn, name, args, params }, forwarded, async (more) => run(turn, by, name, args, more))
        : textOf(await run(turn, by, name, args, forwarded));
      if (abort.signal.aborted) response = ended(turn, id, info);
      else if (text === undefined) response = unknown(app, { turn, by }, id, name, args);
      else {
        response = rpcResultText(id, text);
        hasResult = true;
      }
    } catch (error) {
      response = abort.signal.aborted ? ended(turn, id, info) : failure(app, turn, id, params.name, error, info);
    }
    answered?.();
    if (running?.get(id) === abort) running.delete(id);
    // The text of most responses need not be read for their errors.
    turn.observed?.end(turn, hasResult ? undefined : errorTypeIn(response, id));
    return response;
  };
}

/** Returns an upstream's response to a call in the form for the client. */
function upstreamAnswer(
  app: App,
  turn: RequestContext,
  by: Actor,
  { id, task }: CallRequest,
  reply: Reply<CallToolResult>,
): Answered | Promise<Answered> {
  turn.passedThrough = true;
  if (task) return ownTask(app, turn, by, id, reply);
  const mapped = mapToolUris(app, id, reply);
  return mapped instanceof Promise
    ? mapped.then((passthrough) => forVersion(turn, id, passthrough))
    : forVersion(turn, id, mapped);
}

async function ownTask(
  app: App,
  turn: RequestContext,
  by: Actor,
  id: string,
  reply: Reply<CallToolResult>,
): Promise<Answered> {
  const created = await createdTask(app, by.caller, id, reply);
  reportOwnTask(app, turn.session, by, created);
  return { passthrough: created.reply, id };
}

/** Returns a result in the form of the client's protocol version. */
function forVersion({ envelope }: RequestContext, id: string, reply: Reply<CallToolResult>): Passthrough {
  return { passthrough: envelope ? reply : withObjectContent(reply), id };
}

/** Returns the id of the tool with a listed name, or with the name that an app uses. */
function exposedId(
  app: App,
  turn: RequestContext,
  caller: Caller,
  name: string,
  exposed: ExposedTools,
): string | undefined {
  const id = resolveDirectName(app, caller, name);
  const row = id === undefined ? undefined : app.catalog.get(id);
  if (row && exposed.has(row)) return id;
  return isAppHost(turn) ? resolveAppTool(app, caller, { name, exposed }) : undefined;
}

/** The error if a tool cannot be called as a task. (MCP 2025-11-25, tasks: Tool-Level Negotiation) */
const NO_TASKS = { code: RPC.methodNotFound, message: "this tool cannot be called as a task" };

/** Rejects a name that is not offered to this caller, and records it, because such calls may be probing. */
function unknown(
  app: App,
  { turn, by }: { turn: RequestContext; by: Actor },
  id: RpcId,
  name: string,
  args: McpObject,
): string {
  const request = { id: name, args, signal: turn.abort.signal };
  const detail = "unknown tool";
  recordBlockedCall(app, by, { server: "", tool: name, request, reason: "not_found", detail });
  return refused(id, `Unknown tool: ${name.slice(0, 200)}${hint(app, turn, name)}`);
}

/** Suggests the tool that may have been meant, and how to call it at this endpoint. */
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

/**
 * Returns the response to a cancelled call. If the client cancelled or disconnected, there is none; if the proxy ended
 * the call, it contains the reason.
 */
function ended({ abort, envelope }: RequestContext, id: RpcId, info: ServerInfo): string | undefined {
  const { reason } = abort.signal;
  return reason instanceof Fault ? rpcResultText(id, refusal(reason, envelope && info)) : undefined;
}

/** Returns a fault as a tool result. @param info for protocol versions whose results name the server that responds */
function refusal(fault: Fault, info: ServerInfo | undefined): string {
  return info ? completedResult(faultResult(fault, info)) : faultResult(fault);
}

/**
 * Returns the response to a failed call. A fault becomes a tool result, which the model can read. A protocol error of
 * the upstream stays an error with its code and data.
 */
function failure(app: App, turn: RequestContext, id: RpcId, tool: unknown, error: unknown, info: ServerInfo): string {
  if (error instanceof Fault) {
    if (turn.observed) turn.observed.isToolError = true;
    if (error.code === "permission_denied") {
      const challenge = app.part(mcpChallenge).forMissing(turn.requester.caller, String(error.facts.permission));
      if (challenge !== undefined) turn.challenge = challenge;
    }
    return rpcResultText(id, refusal(error, turn.envelope && info));
  }
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

function textOf(done: Answered | undefined): string | undefined {
  return typeof done === "object" ? done.passthrough.raw : done;
}

function isPassthrough(value: unknown): value is Passthrough {
  return isJsonObject(value) && "passthrough" in value;
}

function refused(id: RpcId, reason: string): string {
  return rpcErrorText(id, invalidParams(reason));
}
