import { randomUUID } from "node:crypto";
import type { McpObject } from "../schema/mcp.ts";
import type { GatewayCall } from "./stages/stage.ts";

/**
 * Gives a question about a URL an id of the proxy, because ids of several servers may be equal. When the server reports
 * that the person has finished (`notifications/elicitation/complete`, 2025-11-25), the client is notified with that id.
 */
export function withOwnElicitationId({ request, upstream }: GatewayCall, params: McpObject): McpObject {
  if (params.mode !== "url") return params;
  const elicitationId = randomUUID();
  const { completed } = request;
  if (completed && typeof params.elicitationId === "string")
    upstream?.onElicitationComplete(params.elicitationId, () => completed(elicitationId));
  return { ...params, elicitationId };
}
