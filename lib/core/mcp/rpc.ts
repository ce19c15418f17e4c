import { isJsonObject } from "../base/json-object.ts";
import type { McpObject, RpcErrorObject, RpcId } from "../schema/mcp.ts";
import { RPC } from "../schema/mcp.ts";
import type { QuestionAnswer } from "../upstream/protocol/upstream-question.ts";
import type { MessageText } from "./message-text.ts";

/** One message of a client, by its kind. */
export type ClientMessage =
  | { readonly kind: "request"; readonly id: RpcId; readonly method: string; readonly params: McpObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: McpObject }
  | { readonly kind: "response"; readonly id: RpcId | null; readonly said: QuestionAnswer }
  | { readonly kind: "invalid"; readonly id: RpcId | null; readonly error: RpcErrorObject };

const NONE: McpObject = Object.freeze({});

/** Determines the kind of a parsed message (JSON-RPC 2.0 §4). A missing `jsonrpc` member is read as "2.0". */
export function readClientMessage(message: unknown): ClientMessage {
  if (!isJsonObject(message)) return invalid(null, "a message must be a JSON object");
  const { id, method, params } = message;
  if (message.jsonrpc !== undefined && message.jsonrpc !== "2.0") return invalid(known(id), 'jsonrpc must be "2.0"');
  if (method === undefined && id !== undefined && ("result" in message || "error" in message))
    return { kind: "response", id: known(id), said: answerIn(message) };
  if (typeof method !== "string") return invalid(known(id), "method must be a string");
  if (params !== undefined && !isJsonObject(params))
    return invalid(known(id), "params must be an object", RPC.invalidParams);
  if (id === undefined) return { kind: "notification", method, params: params ?? NONE };
  if (!isId(id)) return invalid(null, "id must be a string or a whole number");
  return { kind: "request", id, method, params: params ?? NONE };
}

/** Reads a client's answer to a question. An invalid answer counts as an error. */
function answerIn({ result, error }: McpObject): QuestionAnswer {
  if (isJsonObject(result)) return { result };
  const { code, message } = isJsonObject(error) ? error : {};
  return {
    error: {
      code: typeof code === "number" && Number.isInteger(code) ? code : RPC.internal,
      message: typeof message === "string" ? message.slice(0, MAX_ERROR_TEXT) : "the client gave no answer",
    },
  };
}

/** Maximum length of a client's error message that is passed on to a server (characters). */
const MAX_ERROR_TEXT = 1000;

/** Returns the id of a message; null if it has no valid id. */
export function rpcIdOf(message: unknown): RpcId | null {
  return isJsonObject(message) ? known(message.id) : null;
}

/**
 * Returns a complete response around the JSON text of a result, so that an upstream's bytes are passed on unchanged.
 */
export function rpcResultText(id: RpcId, raw: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${raw}}`;
}

/** Like `rpcResultText`, for a result in pieces. */
export function rpcResultPieces(id: RpcId, pieces: readonly string[]): MessageText {
  const [first = "", ...rest] = pieces;
  const begun = `{"jsonrpc":"2.0","id":${idText(id)},"result":${first}`;
  return rest.length === 0 ? `${begun}}` : [begun, ...rest, "}"];
}

/** Returns a complete error response. */
export function rpcErrorText(id: RpcId | null, error: RpcErrorObject): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"error":${JSON.stringify(error)}}`;
}

/** Makes the error about invalid params. */
export function invalidParams(reason: string): RpcErrorObject {
  return { code: RPC.invalidParams, message: `Invalid params: ${reason}` };
}

/** Returns a complete error response for an unknown method. */
export function methodNotFound(id: RpcId, method: string): string {
  return rpcErrorText(id, { code: RPC.methodNotFound, message: `Method not found: ${method.slice(0, 200)}` });
}

/** Returns a complete request to a client. */
export function rpcRequestText(id: RpcId, method: string, params: McpObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, ...(Object.keys(params).length > 0 && { params }) });
}

/** Returns a complete notification. */
export function rpcNotificationText(method: string, params?: McpObject): string {
  return JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) });
}

/** Returns the notification that the content of a resource changed. */
export function resourceUpdatedText(uri: string): string {
  return rpcNotificationText("notifications/resources/updated", { uri });
}

// A number above 2^53 would be changed by parsing, and the client would wait forever for its own id.
function isId(id: unknown): id is RpcId {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id) && Math.abs(id) <= 2 ** 53);
}

function known(id: unknown): RpcId | null {
  return isId(id) ? id : null;
}

function idText(id: RpcId | null): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}

function invalid(id: RpcId | null, message: string, code: number = RPC.invalidRequest): ClientMessage {
  return {
    kind: "invalid",
    id,
    error: { code, message: `Invalid ${code === RPC.invalidParams ? "params" : "Request"}: ${message}` },
  };
}
