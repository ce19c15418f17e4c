import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { type ForwardedRequest, withForwarded } from "../gateway/forwarded-request.ts";
import { mapToolUris } from "../gateway/map-tool-uris.ts";
import { requestTask } from "../gateway/request-task.ts";
import type { TaskMethod } from "../gateway/stages/stage.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { ownerKey } from "../schema/caller.ts";
import {
  type CallToolResult,
  type McpObject,
  RELATED_TASK,
  RPC,
  RpcError,
  type RpcErrorObject,
  TASKS_EXTENSION,
} from "../schema/mcp.ts";
import type { StatelessClients } from "../verbs/sessions/stateless.ts";
import { actorOf } from "./actor-of.ts";
import { declaresTasks, TASKS_NEEDED } from "./declares-tasks.ts";
import { forwardedCapabilities } from "./input-required.ts";
import { lookAtTask2025, lookAtTask2026, requestAbout } from "./look-at-task.ts";
import type { MessageText } from "./message-text.ts";
import type { McpRequest } from "./protocol-methods.ts";
import type { QuestionRouter } from "./question-router.ts";
import { readForwardedRequest } from "./read-forwarded-request.ts";
import { rememberedTasks } from "./remembered-tasks.ts";
import type { RequestContext } from "./request-context.ts";
import { invalidParams, rpcErrorText, rpcResultText } from "./rpc.ts";
import { NO_SUCH_TASK, openTask, type TaskHandle } from "./task-handles.ts";

interface TaskMethodsParts {
  readonly app: App;
  readonly stateless: StatelessClients;
  readonly questions: QuestionRouter;
}

/**
 * The methods about tasks. In 2025-11-25 there is a list, and clients wait for the result; in the extension of
 * 2026-07-28 the task contains questions and the result.
 *
 * @returns undefined for any other method
 */
export type TaskMethods = (turn: RequestContext, request: McpRequest) => Promise<MessageText | undefined> | undefined;

export function createTaskMethods({ app, stateless, questions }: TaskMethodsParts): TaskMethods {
  const by = (turn: RequestContext) => actorOf(app, turn, stateless);
  const send = async (turn: RequestContext, handle: TaskHandle, method: TaskMethod, forwarded: ForwardedRequest) => {
    const request = requestAbout(handle, method, forwarded);
    request.args = forwarded.asking?.responses ?? {};
    return requestTask(app, by(turn), withForwarded(forwarded, request));
  };

  /** Waits for the end of a task (2025-11-25); its server may ask questions meanwhile. */
  const result2025 = (turn: RequestContext, handle: TaskHandle, sealed: string, params: McpObject) => {
    const related = (meta: unknown) => ({ ...(isJsonObject(meta) && meta), [RELATED_TASK]: { taskId: sealed } });
    const attempt = async (forwarded: ForwardedRequest) => {
      const { ask } = forwarded;
      if (ask)
        forwarded.ask = (question) => {
          const { params: asked } = question;
          ask(Object.assign(question, { params: { ...asked, _meta: related(asked._meta) } }));
        };
      const { result } = await mapToolUris(app, handle.id, await send(turn, handle, "tasks/result", forwarded));
      const shown = isJsonObject(result) ? { ...result, _meta: related(result._meta) } : result;
      return { passthrough: { raw: JSON.stringify(shown), result: shown as CallToolResult }, id: handle.id };
    };
    const asks = { turn, name: `tasks/result ${sealed}`, args: {}, params };
    return questions.make(asks, readForwardedRequest(turn, undefined), attempt);
  };

  const simple2025 = async (turn: RequestContext, handle: TaskHandle, sealed: string, method: TaskMethod) => {
    const look = { by: by(turn), handle, sealed, forwarded: readForwardedRequest(turn, undefined) };
    return JSON.stringify(await lookAtTask2025(app, look, method));
  };

  const all2026 = async (turn: RequestContext, handle: TaskHandle, sealed: string, request: McpRequest) => {
    const { method, params } = request;
    const capabilities = forwardedCapabilities(turn.envelope?.capabilities ?? {});
    const forwarded = readForwardedRequest(turn, isJsonObject(params._meta) ? params._meta : undefined);
    if (method === "tasks/get")
      return JSON.stringify(await lookAtTask2026(app, { by: by(turn), handle, sealed, forwarded }, capabilities));
    const responses = method === "tasks/update" ? params.inputResponses : undefined;
    if (method === "tasks/update" && !(isJsonObject(responses) && Object.values(responses).every(isJsonObject)))
      throw new RpcError(invalidParams("inputResponses must be an object of objects"));
    forwarded.asking = {
      capabilities: { ...capabilities, extensions: { [TASKS_EXTENSION]: {} } },
      ...(isJsonObject(responses) && { responses }),
    };
    // `tasks/update` has the same member for answers as a call, so both are handled alike.
    const { result } = await send(turn, handle, method as TaskMethod, forwarded);
    const { server = "" } = splitToolId(handle.id) ?? {};
    if (!isJsonObject(result)) throw new Fault("upstream_failed", { server, reason: "its result is not an object" });
    return JSON.stringify({ ...result, resultType: "complete" });
  };

  const answer = async (turn: RequestContext, request: McpRequest): Promise<string | undefined> => {
    const { id, method, params } = request;
    const { envelope, session, abort } = turn;
    const { caller } = turn.requester;
    if (envelope && !declaresTasks(envelope.capabilities)) throw new RpcError(TASKS_NEEDED);
    if (method === "tasks/list") return listed(app, turn, request);
    const sealed = params.taskId;
    const handle = await openTask(app, { caller, family: envelope ? "2026" : "2025" }, sealed);
    if (!handle || typeof sealed !== "string") throw new RpcError(NO_SUCH_TASK);
    const running = envelope ? turn.running : session?.running;
    running?.set(id, abort);
    try {
      const text = envelope
        ? await all2026(turn, handle, sealed, request)
        : method === "tasks/result"
          ? await result2025(turn, handle, sealed, params)
          : await simple2025(turn, handle, sealed, method as TaskMethod);
      return text === undefined ? undefined : rpcResultText(id, text);
    } finally {
      if (running?.get(id) === abort) running.delete(id);
    }
  };

  return (turn, request) => {
    if (!(turn.envelope ? METHODS_2026 : METHODS_2025).has(request.method)) return undefined;
    return answer(turn, request).catch((error: unknown) => {
      const { reason, aborted } = turn.abort.signal;
      // A client that cancelled or disconnected gets no response. If the proxy ended the request, it gets the reason.
      if (aborted && !(reason instanceof Fault)) return undefined;
      return rpcErrorText(request.id, errorFor(app, turn, request, aborted ? reason : error));
    });
  };
}

const METHODS_2025: ReadonlySet<string> = new Set(["tasks/get", "tasks/result", "tasks/cancel", "tasks/list"]);
const METHODS_2026: ReadonlySet<string> = new Set(["tasks/get", "tasks/update", "tasks/cancel"]);

/** Lists all tasks of a caller on one page. */
function listed(app: App, { requester }: RequestContext, { id, params }: McpRequest): string {
  if (params.cursor !== undefined) throw new RpcError(invalidParams("unknown cursor: the list has only one page"));
  return rpcResultText(id, JSON.stringify({ tasks: app.part(rememberedTasks).of(ownerKey(requester.caller)) }));
}

function errorFor(app: App, turn: RequestContext, { method }: McpRequest, error: unknown): RpcErrorObject {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    if (turn.envelope && code === RPC.missingCapability) turn.status = 400;
    return { code, message, ...(data !== undefined && { data }) };
  }
  if (error instanceof Fault) return { code: RPC.internal, message: error.message, data: { code: error.code } };
  const { requestId } = turn.requester;
  const stack = error instanceof Error ? error.stack : String(error);
  app.log.error(`${method} failed inside the proxy`, { request_id: requestId, stack });
  return { code: RPC.internal, message: "Internal error", data: { request_id: requestId } };
}
