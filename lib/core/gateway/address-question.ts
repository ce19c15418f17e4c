import { isJsonObject } from "../base/json-object.ts";
import { type CallToolResult, type InputContext, type McpObject, type Reply, RpcError } from "../schema/mcp.ts";

/** An older server wants a person to open addresses before it takes the call (2025-11-25, URL elicitation required). */
const ADDRESSES_NEEDED = -32042;

/** Addresses of one error that are passed on. */
const MAX_ADDRESSES = 10;

/**
 * The error by which servers of the 2025 family ask a person to open addresses, as a question of the 2026 family.
 *
 * @returns undefined for every other error, for a caller that cannot be asked so, and for one who refused before
 */
export function addressQuestion(error: unknown, asking: InputContext | undefined): Reply<CallToolResult> | undefined {
  if (!(error instanceof RpcError) || error.code !== ADDRESSES_NEEDED || !asking || asking.isSession) return undefined;
  const { elicitation } = asking.capabilities;
  if (!isJsonObject(elicitation) || elicitation.url === undefined || hasRefused(asking.responses)) return undefined;
  const asked = isJsonObject(error.data) && Array.isArray(error.data.elicitations) ? error.data.elicitations : [];
  const addresses = asked.filter((one): one is McpObject => isJsonObject(one) && one.mode === "url");
  if (addresses.length === 0) return undefined;
  const inputRequests = Object.fromEntries(
    addresses
      .slice(0, MAX_ADDRESSES)
      .map(({ message, url, elicitationId }, index) => [
        `address-${index + 1}`,
        { method: "elicitation/create", params: { mode: "url", message, url, elicitationId } },
      ]),
  );
  const result = { resultType: "input_required", inputRequests };
  return { result, raw: JSON.stringify(result) };
}

function hasRefused(responses: McpObject | undefined): boolean {
  return Object.values(responses ?? {}).some((said) => isJsonObject(said) && said.action !== "accept");
}
