import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { splitToolId } from "../policy/tool-id.ts";
import { ownerKey } from "../schema/caller.ts";
import { type InputContext, type McpObject, RpcError, TASKS_EXTENSION, UI_EXTENSION } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { appSettings } from "./app-host.ts";
import { declaresTasks } from "./declares-tasks.ts";
import type { HeldState } from "./held-calls.ts";
import { forwardedCapabilities, relayInputRequired } from "./input-required.ts";
import type { RequestContext } from "./request-context.ts";
import { createRequestStates, type RequestStateBinding } from "./request-state.ts";
import { completedResult, type ServerInfo } from "./result.ts";
import { invalidParams } from "./rpc.ts";
import { sealedStates } from "./sealed-states.ts";
import { sealTask } from "./task-handles.ts";
import type { Passthrough } from "./tool.ts";

/** A request that may be repeated with answers, as the client made it. */
export interface RoundTripCall {
  readonly turn: RequestContext;
  /** The name of the called or requested item. A state is valid only for this name and these arguments. */
  readonly name: string;
  readonly args: McpObject;
}

/** Reads the answers from requests, and writes results with questions (2026-07-28, multi round-trip). */
interface RoundTrips {
  /**
   * Returns the questions that the client can be asked, and its answers. It is a promise only if the client returned a
   * sealed state. @throws RpcError -32602
   */
  asking(asked: RoundTripCall, params: McpObject): Asking | Promise<Asking>;
  /**
   * Returns the JSON text of the result for the client: the complete result, or the questions of an upstream. It is a
   * promise only for questions, whose state must be sealed.
   *
   * @throws RpcError -32021; Fault upstream_failed
   */
  result(asked: RoundTripCall, done: string | Passthrough): string | Promise<string>;
  /** Returns the JSON text of the questions of a held call. */
  questions(asked: RoundTripCall, questions: ReadonlyMap<string, UpstreamQuestion>, state: HeldState): Promise<string>;
}

/** The parts of a 2026-07-28 request that concern questions. */
interface Asking {
  readonly input: InputContext;
  /** Set if the request answers questions of a held call. */
  readonly held?: HeldState;
}

export function createRoundTrips(app: App, info: ServerInfo): RoundTrips {
  const states = createRequestStates(() => app.part(sealedStates));

  const opened = async (asked: RoundTripCall, input: InputContext, requestState: unknown): Promise<Asking> => {
    const state = typeof requestState === "string" ? await states.open(requestState, boundTo(asked)) : undefined;
    if (state === undefined) throw new RpcError(invalidParams(STATE_REFUSED));
    if (state.startsWith(HELD)) return { input, held: JSON.parse(state.slice(HELD.length)) as HeldState };
    return { input: { ...input, state: state.slice(UPSTREAM.length) } };
  };

  const question = async (asked: RoundTripCall, server: string, result: McpObject): Promise<string> => {
    const capabilities = forwardedCapabilities(asked.turn.envelope?.capabilities ?? {});
    const { requestState } = result;
    const sealed =
      typeof requestState === "string" ? await states.seal(UPSTREAM + requestState, boundTo(asked)) : undefined;
    return relayInputRequired(result, { server, capabilities, seal: (state) => sealed ?? state });
  };

  const task = async ({ turn }: RoundTripCall, { id = "" }: Passthrough, result: McpObject): Promise<string> => {
    const { caller } = turn.requester;
    // A client that does not know tasks would take the task for the result.
    const isDeclared = declaresTasks(turn.envelope?.capabilities ?? {});
    const taskId = isDeclared
      ? await sealTask(app, { caller, family: "2026" }, { id, taskId: result.taskId })
      : undefined;
    if (taskId !== undefined) return JSON.stringify({ ...result, taskId });
    const reason = isDeclared
      ? "its task has no valid id"
      : "it answered with a task, which the client does not support";
    throw new Fault("upstream_failed", { server: splitToolId(id)?.server ?? info.name, reason });
  };

  return {
    asking(asked, { inputResponses, requestState }) {
      const declared = asked.turn.envelope?.capabilities ?? {};
      const capabilities = {
        ...forwardedCapabilities(declared),
        ...forwardedExtensions(declared),
      };
      const input: { -readonly [K in keyof InputContext]: InputContext[K] } = { capabilities };
      if (inputResponses !== undefined) {
        if (!isJsonObject(inputResponses) || !Object.values(inputResponses).every(isJsonObject))
          throw new RpcError(invalidParams("inputResponses must be an object of objects"));
        input.responses = inputResponses;
      }
      return requestState === undefined ? { input } : opened(asked, input, requestState);
    },
    result(asked, done) {
      if (typeof done === "string") return completedResult(done, info);
      const { result, raw } = done.passthrough;
      const server = splitToolId(done.id ?? "")?.server ?? info.name;
      if (!isJsonObject(result)) throw new Fault("upstream_failed", { server, reason: "its result is not an object" });
      const { resultType, _meta } = result;
      switch (resultType) {
        case undefined:
          // If the upstream set `_meta`, it stays unchanged.
          return completedResult(raw, _meta === undefined ? info : undefined);
        case "complete":
          return raw;
        case "input_required":
          return question(asked, server, result);
        case "task":
          return task(asked, done, result);
        default:
          throw new Fault("upstream_failed", { server, reason: "its result has an unknown type" });
      }
    },
    async questions(asked, questions, state) {
      const inputRequests = Object.fromEntries(
        [...questions].map(([key, { method, params }]) => [
          key,
          Object.keys(params).length > 0 || method !== "roots/list" ? { method, params } : { method },
        ]),
      );
      const requestState = await states.seal(HELD + JSON.stringify(state), boundTo(asked));
      return JSON.stringify({ resultType: "input_required", inputRequests, requestState });
    },
  };
}

/** Returns the client's extensions that the proxy declares to servers. */
function forwardedExtensions(declared: McpObject): McpObject {
  const ui = appSettings(declared);
  const extensions = { ...(declaresTasks(declared) && { [TASKS_EXTENSION]: {} }), ...(ui && { [UI_EXTENSION]: ui }) };
  return Object.keys(extensions).length > 0 ? { extensions } : {};
}

/** The first character of a sealed state: it contains a state of the upstream, or the id of a held call. */
const UPSTREAM = "u";
const HELD = "h";

const STATE_REFUSED =
  "requestState is invalid: it has expired, was changed, or belongs to another call; repeat the call without it";

function boundTo({ turn, name, args }: RoundTripCall): RequestStateBinding {
  return { owner: ownerKey(turn.requester.caller), mode: turn.mode, name, args };
}
