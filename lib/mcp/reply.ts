import type { ServerResponse } from "node:http";
import type { RpcId } from "../shape/mcp.ts";
import { errorText } from "./rpc.ts";
import type { Who } from "./turn.ts";

/** A JSON body with its length, in one write. */
export function sendJson(res: ServerResponse, status: number, text: string, headers: readonly string[]): void {
  res.writeHead(status, [
    "content-type",
    "application/json",
    "content-length",
    String(Buffer.byteLength(text)),
    "x-content-type-options",
    "nosniff",
    ...headers,
  ]);
  res.end(text);
}

/** A refusal at the transport: an HTTP status with a JSON-RPC error as its body. */
export function refuse(
  res: ServerResponse,
  status: number,
  who: Who,
  code: number,
  message: string,
  headers: readonly string[] = [],
  { id = null, data }: { id?: RpcId | null; data?: unknown } = {},
): void {
  const text = errorText(id, { code, message, ...(data !== undefined && { data }) });
  sendJson(res, status, text, ["x-request-id", who.requestId, ...headers]);
}
