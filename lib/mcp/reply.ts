import type { ServerResponse } from "node:http";
import type { RpcId } from "../shape/mcp.ts";
import { messageBytes } from "./message-text.ts";
import { errorText } from "./rpc.ts";
import type { Who } from "./turn.ts";

/** A JSON body with its length, in one write. */
export function sendJson(res: ServerResponse, status: number, text: string, headers: readonly string[]): void {
  res.writeHead(status, jsonHeaders(Buffer.byteLength(text), headers));
  res.end(text);
}

/** The same for a long body in pieces. */
export async function sendJsonPieces(
  res: ServerResponse,
  status: number,
  pieces: readonly string[],
  headers: readonly string[],
): Promise<void> {
  const bytes = await messageBytes(pieces);
  if (res.destroyed) return;
  const sizeBytes = bytes.reduce((sum, { length }) => sum + length, 0);
  res.writeHead(status, jsonHeaders(sizeBytes, headers));
  for (const piece of bytes) res.write(piece);
  res.end();
}

function jsonHeaders(sizeBytes: number, headers: readonly string[]): string[] {
  return [
    "content-type",
    "application/json",
    "content-length",
    String(sizeBytes),
    "x-content-type-options",
    "nosniff",
    ...headers,
  ];
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
