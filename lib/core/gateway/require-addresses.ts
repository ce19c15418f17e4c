import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { type CallToolResult, type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import type { EndQuestion, QuestionOutcome } from "../schema/question-outcome.ts";
import { awaitAnswers } from "./await-answers.ts";
import { recordQuestion } from "./record-question.ts";
import { maskedQuestion, screenQuestion } from "./screen-question.ts";
import type { GatewayCall } from "./stages/stage.ts";
import { withOwnElicitationId } from "./with-own-elicitation-id.ts";

const METHOD = "elicitation/create";

/** Maximum number of URLs of one error that are passed on. */
const MAX_ADDRESSES = 10;

/** The result or the error that the caller gets instead of the upstream's error. */
type Outcome = { readonly reply: Reply<CallToolResult> } | { readonly error: unknown };

/** True if a server requires that a person opens URLs before it handles the request (2025-11-25). */
export function needsAddresses(error: unknown): error is RpcError {
  return error instanceof RpcError && error.code === RPC.addressesNeeded;
}

/**
 * Converts the error -32042 (2025-11-25, URL elicitation required) for the client. A client of 2026-07-28, which does
 * not know the error, gets a question instead; others get the error. In both cases only the URLs that may be passed on
 * are included, with the name of the server that asks.
 */
export function requireAddresses(call: GatewayCall, error: RpcError): Outcome {
  const failed = (reason: string) => ({
    error: new Fault("upstream_failed", { server: call.server, reason }, { cause: error }),
  });
  const { asking } = call.request;
  const { shown, refused } = screenedAddresses(call, error);
  const endAll = (outcome: QuestionOutcome) => {
    for (const { end } of shown) end(outcome);
  };
  if (shown.length === 0)
    return failed(`it asks a person to open an address, which was not passed on: ${refused ?? "it names none"}`);
  if (!asking || asking.questions) {
    endAll({ status: "success", reason: "passed on with the error; the client does not report what the person did" });
    const { code, message } = error;
    const elicitations = shown.map(({ params }) => withOwnElicitationId(call, params));
    return { error: new RpcError({ code, message, data: { elicitations } }, { cause: error }) };
  }
  const { elicitation } = asking.capabilities;
  if (!isJsonObject(elicitation) || elicitation.url === undefined) {
    endAll({ status: "blocked", reason: "the client did not declare that it can be asked this" });
    return { error: missingCapability(error) };
  }
  if (hasRefused(asking.responses)) {
    endAll({ status: "blocked", reason: "the person refused it before" });
    return failed("it asks a person to open an address, which the person refused");
  }
  const keyed = shown.map((one, index) => [`address-${index + 1}`, one] as const);
  const requests = keyed.map(([key, { params }]) => {
    const { elicitationId: _, ...asked } = params;
    return [key, { method: METHOD, params: asked }];
  });
  const result = { resultType: "input_required", inputRequests: Object.fromEntries(requests) };
  call.asked = new Map(keyed.map(([key, { end }]) => [key, end]));
  awaitAnswers(call, result, call.asked);
  return { reply: { result, raw: JSON.stringify(result) } };
}

interface ShownAddress {
  readonly params: McpObject;
  readonly end: EndQuestion;
}

/** @returns the URLs that may be passed on, and the reason why another one may not */
function screenedAddresses(call: GatewayCall, { data }: RpcError): { shown: ShownAddress[]; refused?: string } {
  const listed = isJsonObject(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
  const addresses = listed.filter((one): one is McpObject => isJsonObject(one) && one.mode === "url");
  const shown: ShownAddress[] = [];
  let refused: string | undefined;
  for (const { message, url, elicitationId } of addresses.slice(0, MAX_ADDRESSES)) {
    const given = maskedQuestion({ mode: "url", message, url, elicitationId }, call.mask);
    const screened = screenQuestion(call.app, call.server, METHOD, given);
    const params = "params" in screened ? screened.params : given;
    const end = recordQuestion(call, { method: METHOD, params });
    if ("params" in screened) shown.push({ params, end });
    else {
      refused = screened.refused;
      end({ status: "blocked", reason: refused });
    }
  }
  return { shown, ...(refused !== undefined && { refused }) };
}

function missingCapability(cause: RpcError): RpcError {
  const message = "The server asks a person to open an address, which the client's capabilities do not declare";
  const data = { requiredCapabilities: { elicitation: { url: {} } } };
  return new RpcError({ code: RPC.missingCapability, message, data }, { cause });
}

function hasRefused(responses: McpObject | undefined): boolean {
  return Object.values(responses ?? {}).some((said) => isJsonObject(said) && said.action !== "accept");
}
