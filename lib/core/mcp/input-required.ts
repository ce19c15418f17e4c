import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { declares, neededFor } from "../gateway/can-be-asked.ts";
import { type McpObject, RPC, RpcError } from "../schema/mcp.ts";

/** An upstream's question on its way to the client. */
interface RelayedQuestion {
  /** The upstream that asks. */
  readonly server: string;
  /** What the client can be asked. */
  readonly capabilities: McpObject;
  /** Makes the upstream's state one that only this caller and call can bring back. */
  seal(state: string): string;
}

/**
 * Makes of an upstream's `input_required` what the client gets: the same questions, which the gateway has screened, and a
 * sealed state.
 *
 * @returns the JSON text of the result
 * @throws RpcError -32021 for a question that the client did not declare to be able to answer
 * @throws Fault upstream_failed for a question that is none
 */
export function relayInputRequired(result: McpObject, { server, capabilities, seal }: RelayedQuestion): string {
  const { inputRequests, requestState } = result;
  const failed = (reason: string) => new Fault("upstream_failed", { server, reason });
  if (inputRequests !== undefined && !isJsonObject(inputRequests)) throw failed("its inputRequests is not an object");
  if (requestState !== undefined && typeof requestState !== "string") throw failed("its requestState is not a string");
  if (inputRequests === undefined && requestState === undefined)
    throw failed("it requests input without inputRequests or requestState");
  const needs = Object.values(inputRequests ?? {}).map((request) => {
    const need = isJsonObject(request) ? neededFor(request) : undefined;
    if (!need) throw failed("it requests input of an unknown kind");
    return need;
  });
  const missing = needs.filter((need) => !declares(capabilities, need));
  if (missing.length > 0)
    throw new RpcError({
      code: RPC.missingCapability,
      message: "The tool requests input that the client's capabilities do not declare",
      data: { requiredCapabilities: Object.assign({}, ...missing) },
    });
  return JSON.stringify({ ...result, ...(requestState !== undefined && { requestState: seal(requestState) }) });
}

/** What of a client's capabilities upstreams are told: that which they can ask for. The rest is between client and proxy. */
export function forwardedCapabilities(capabilities: McpObject): McpObject {
  const { elicitation, sampling, roots } = capabilities;
  return {
    ...(isJsonObject(elicitation) && { elicitation }),
    ...(isJsonObject(sampling) && { sampling }),
    ...(isJsonObject(roots) && { roots }),
  };
}

/** Whether these capabilities hold anything that a client can be asked. */
export function canBeAskedAnything({ elicitation, sampling, roots }: McpObject): boolean {
  return elicitation !== undefined || sampling !== undefined || roots !== undefined;
}
