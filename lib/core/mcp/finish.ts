import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isObject } from "../base/merge.ts";
import { splitId } from "../policy/id.ts";
import type { Asking, JsonObject } from "../schema/mcp.ts";
import { askable, relayQuestion } from "./input-required.ts";
import { createRequestStates, type StateOf } from "./request-state.ts";
import { completed, type ServerInfo } from "./result.ts";
import { ownerOf } from "./sessions.ts";
import type { Passthrough } from "./tool.ts";
import type { Turn } from "./turn.ts";

/** A `tools/call` of the 2026 era, as the client made it. */
export interface Asked {
  readonly turn: Turn;
  readonly name: string;
  readonly args: JsonObject;
}

/** The beginning and end of a call that may take several rounds (2026-07-28, multi round-trip). */
export interface Finish {
  /** What the client can be asked and has answered; a text that says what is wrong with it. */
  asking(asked: Asked, params: JsonObject): Asking | string;
  /**
   * The JSON text of the result as the client gets it: complete, or an upstream's question.
   *
   * @throws RpcError -32021, Fault upstream_failed
   */
  result(asked: Asked, done: string | Passthrough): string;
}

export function createFinish(app: Pick<App, "clock">, info: ServerInfo): Finish {
  const states = createRequestStates(app.clock);
  return {
    asking(asked, { inputResponses, requestState }) {
      const capabilities = askable(asked.turn.envelope?.capabilities ?? {});
      const asking: { -readonly [K in keyof Asking]: Asking[K] } = { capabilities };
      if (inputResponses !== undefined) {
        if (!isObject(inputResponses) || !Object.values(inputResponses).every(isObject))
          return "inputResponses must be an object of objects";
        asking.responses = inputResponses;
      }
      if (requestState !== undefined) {
        const state = typeof requestState === "string" ? states.open(requestState, boundTo(asked)) : undefined;
        if (state === undefined) return STATE_REFUSED;
        asking.state = state;
      }
      return asking;
    },
    result(asked, done) {
      if (typeof done === "string") return completed(done, info);
      const { result, raw } = done.passthrough;
      const server = splitId(done.id ?? "")?.server ?? info.name;
      if (!isObject(result)) throw new Fault("upstream_failed", { server, reason: "its result is not an object" });
      const { resultType, _meta } = result;
      switch (resultType) {
        case undefined:
          // What an upstream says in `_meta` stays as it came.
          return completed(raw, _meta === undefined ? info : undefined);
        case "complete":
          return raw;
        case "input_required": {
          const capabilities = askable(asked.turn.envelope?.capabilities ?? {});
          const seal = (state: string) => states.seal(state, boundTo(asked));
          return relayQuestion(result, { server, capabilities, seal });
        }
        default:
          throw new Fault("upstream_failed", { server, reason: "its result has an unknown type" });
      }
    },
  };
}

const STATE_REFUSED =
  "requestState is invalid: it has expired, was changed, or belongs to another call; repeat the call without it";

function boundTo({ turn, name, args }: Asked): StateOf {
  return { owner: ownerOf(turn.who.caller), mode: turn.mode, name, args };
}
