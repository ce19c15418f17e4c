import { Outbox } from "../base/outbox.ts";
import type { RpcId } from "../schema/mcp.ts";
import { messageBytes } from "./message-text.ts";
import type { McpResponse } from "./received-post.ts";
import type { Requester } from "./request-context.ts";
import { rpcErrorText } from "./rpc.ts";

/** Bodies of at least this length are written in pieces. (characters) */
const LARGE = 256 * 1024;

/** Sends a JSON body with its length; a small body in one write. */
export function sendJson(res: McpResponse, status: number, text: string, headers: readonly string[]): void {
  const sizeBytes = Buffer.byteLength(text);
  res.writeHead(status, jsonHeaders(sizeBytes, headers));
  if (text.length <= LARGE) {
    // The text is pure ASCII, which Node writes faster as latin1, because it need not be encoded.
    res.end(text, sizeBytes === text.length ? "latin1" : "utf8");
    return;
  }
  const outbox = new Outbox(res);
  outbox.write(text);
  outbox.end();
}

/** Like `sendJson`, for a long body in pieces. */
export async function sendJsonPieces(
  res: McpResponse,
  status: number,
  pieces: readonly string[],
  headers: readonly string[],
): Promise<void> {
  const bytes = await messageBytes(pieces);
  if (res.destroyed) return;
  const sizeBytes = bytes.reduce((sum, { length }) => sum + length, 0);
  res.writeHead(status, jsonHeaders(sizeBytes, headers));
  const outbox = new Outbox(res);
  for (const piece of bytes) outbox.write(piece);
  outbox.end();
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

/** Rejects an HTTP request with a status and a JSON-RPC error as the body. */
export function sendRefusal(
  res: McpResponse,
  status: number,
  who: Requester,
  code: number,
  message: string,
  headers: readonly string[] = [],
  { id = null, data }: { id?: RpcId | null; data?: unknown } = {},
): void {
  const text = rpcErrorText(id, { code, message, ...(data !== undefined && { data }) });
  sendJson(res, status, text, ["x-request-id", who.requestId, ...headers]);
}
