import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { declares, neededFor } from "../gateway/can-be-asked.ts";
import { type McpObject, RPC, RpcError } from "../schema/mcp.ts";

/** A result with questions, and how it is converted for the client. */
interface RelayedQuestion {
  /** The upstream that asks. */
  readonly server: string;
  /** The client's capabilities to be asked. */
  readonly capabilities: McpObject;
  /** Seals the upstream's state, so that only this caller can return it and only for this call. */
  seal(state: string): string;
}

/**
 * Converts an upstream's `input_required` for the client: the same questions, which the gateway has checked, and a
 * sealed state.
 *
 * @returns the JSON text of the result
 * @throws RpcError -32021 if the client did not declare that it can answer a question
 * @throws Fault upstream_failed if an entry is not a valid question
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

/**
 * Returns the part of a client's capabilities that is declared to upstreams: the questions that the client can answer.
 * All else concerns only the client and the proxy.
 */
export function forwardedCapabilities(capabilities: McpObject): McpObject {
  const { elicitation, sampling, roots } = capabilities;
  return {
    ...(isJsonObject(elicitation) && { elicitation }),
    ...(isJsonObject(sampling) && { sampling }),
    ...(isJsonObject(roots) && { roots }),
  };
}

/** True if these capabilities allow any question. */
export function canBeAskedAnything({ elicitation, sampling, roots }: McpObject): boolean {
  return elicitation !== undefined || sampling !== undefined || roots !== undefined;
}
