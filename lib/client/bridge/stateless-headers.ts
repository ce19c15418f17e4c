import { isJsonObject } from "../../core/base/json-object.ts";
import { REVISION_2026 } from "../../core/schema/mcp.ts";
import { createParamHeaders, declaredHeaders, routingHeaders } from "../../core/upstream/protocol/param-headers.ts";
import type { BridgeMessage } from "./read-message.ts";

/** The HTTP headers in which a message of protocol version 2026-07-28 repeats parts of its body. */
export interface StatelessHeaders {
  of(message: BridgeMessage): Record<string, string>;
  /** Stores which tool arguments must be repeated in headers, if the request is `tools/list`. */
  learn(request: BridgeMessage, response: string): void;
}

/** Starts without known tools: `tools/call` gets its argument headers after the first listing. */
export function createStatelessHeaders(): StatelessHeaders {
  const paramHeaders = createParamHeaders();
  let declaring: unknown[] = [];
  return {
    of({ method = "", params }) {
      const repeated = method === "tools/call" ? paramHeaders.of(params) : {};
      return { "mcp-protocol-version": REVISION_2026, ...routingHeaders(method, params), ...repeated };
    },
    learn({ method, params }, response) {
      if (method !== "tools/list") return;
      if (params.cursor === undefined) declaring = [];
      if (response.includes('"x-mcp-header"')) declaring = [...declaring, ...toolsIn(response).filter(declares)];
      paramHeaders.learn(declaring);
    },
  };
}

function toolsIn(response: string): unknown[] {
  const value: unknown = JSON.parse(response);
  const result = isJsonObject(value) && isJsonObject(value.result) ? value.result : {};
  return Array.isArray(result.tools) ? result.tools : [];
}

function declares(tool: unknown): boolean {
  return isJsonObject(tool) && declaredHeaders(tool.inputSchema).length > 0;
}
