import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/merge.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { InputContext, McpObject } from "../schema/mcp.ts";
import { forwardedCapabilities, relayInputRequired } from "./input-required.ts";
import type { RequestContext } from "./request-context.ts";
import { createRequestStates, type RequestStateBinding } from "./request-state.ts";
import { completedResult, type ServerInfo } from "./result.ts";
import { ownerKey } from "./sessions.ts";
import type { Passthrough } from "./tool.ts";

/** A `tools/call` of the 2026 era, as the client made it. */
export interface RoundTripCall {
  readonly turn: RequestContext;
  readonly name: string;
  readonly args: McpObject;
}

/** The beginning and end of a call that may take several rounds (2026-07-28, multi round-trip). */
interface RoundTrips {
  /** What the client can be asked and has answered; a text that says what is wrong with it. */
  asking(asked: RoundTripCall, params: McpObject): InputContext | string;
  /**
   * The JSON text of the result as the client gets it: complete, or an upstream's question.
   *
   * @throws RpcError -32021, Fault upstream_failed
   */
  result(asked: RoundTripCall, done: string | Passthrough): string;
}

export function createRoundTrips(app: Pick<App, "clock">, info: ServerInfo): RoundTrips {
  const states = createRequestStates(app.clock);
  return {
    asking(asked, { inputResponses, requestState }) {
      const capabilities = forwardedCapabilities(asked.turn.envelope?.capabilities ?? {});
      const asking: { -readonly [K in keyof InputContext]: InputContext[K] } = { capabilities };
      if (inputResponses !== undefined) {
        if (!isJsonObject(inputResponses) || !Object.values(inputResponses).every(isJsonObject))
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
      if (typeof done === "string") return completedResult(done, info);
      const { result, raw } = done.passthrough;
      const server = splitToolId(done.id ?? "")?.server ?? info.name;
      if (!isJsonObject(result)) throw new Fault("upstream_failed", { server, reason: "its result is not an object" });
      const { resultType, _meta } = result;
      switch (resultType) {
        case undefined:
          // What an upstream says in `_meta` stays as it came.
          return completedResult(raw, _meta === undefined ? info : undefined);
        case "complete":
          return raw;
        case "input_required": {
          const capabilities = forwardedCapabilities(asked.turn.envelope?.capabilities ?? {});
          const seal = (state: string) => states.seal(state, boundTo(asked));
          return relayInputRequired(result, { server, capabilities, seal });
        }
        default:
          throw new Fault("upstream_failed", { server, reason: "its result has an unknown type" });
      }
    },
  };
}

const STATE_REFUSED =
  "requestState is invalid: it has expired, was changed, or belongs to another call; repeat the call without it";

function boundTo({ turn, name, args }: RoundTripCall): RequestStateBinding {
  return { owner: ownerKey(turn.requester.caller), mode: turn.mode, name, args };
}
