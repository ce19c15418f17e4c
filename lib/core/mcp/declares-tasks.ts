import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, RPC, type RpcErrorObject, TASKS_EXTENSION } from "../schema/mcp.ts";

/** Whether a client of the 2026 family takes tasks as answers. */
export function declaresTasks({ extensions }: McpObject): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION]);
}

/** The error for a client that uses tasks and does not declare the extension. */
export const TASKS_NEEDED: RpcErrorObject = {
  code: RPC.missingCapability,
  message: `the client must declare the extension ${TASKS_EXTENSION} in its capabilities`,
  data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
};
