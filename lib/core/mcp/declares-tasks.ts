import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, RPC, type RpcErrorObject, TASKS_EXTENSION } from "../schema/mcp.ts";

/** True if a client of 2026-07-28 accepts tasks as results. */
export function declaresTasks({ extensions }: McpObject): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION]);
}

/** The error for a client that makes a request about tasks without declaring the extension. */
export const TASKS_NEEDED: RpcErrorObject = {
  code: RPC.missingCapability,
  message: `the client must declare the extension ${TASKS_EXTENSION} in its capabilities`,
  data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
};
