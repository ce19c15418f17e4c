import { isJsonObject } from "../../base/json-object.ts";
import type { McpObject, Reply, RpcErrorObject, RpcId } from "../../schema/mcp.ts";
import { boundedError } from "./bounded-error.ts";
import { isShallow } from "./depth.ts";
import { elementTexts, memberText } from "./member-text.ts";

/** One JSON-RPC message from an upstream, by its kind. */
export type UpstreamMessage =
  | { readonly kind: "result"; readonly id: RpcId; readonly reply: Reply }
  | { readonly kind: "too deep"; readonly id: RpcId }
  | { readonly kind: "error"; readonly id: RpcId | null; readonly error: RpcErrorObject }
  | { readonly kind: "request"; readonly id: RpcId; readonly method: string; readonly params: McpObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: McpObject }
  | { readonly kind: "batch"; readonly texts: string[] };

/**
 * Parses one message. The text of a result is kept as received (decisions §6: passed on byte for byte), except that
 * line breaks, which can only be between tokens, become spaces, so that it fits into one line. The usual form of a
 * response is recognised without parsing it, so that only the result is parsed, and only once.
 *
 * @throws SyntaxError if the text is not JSON or not a JSON-RPC message
 */
export function readUpstreamMessage(text: string): UpstreamMessage {
  return framed(text) ?? general(text);
}

const HEAD = '{"jsonrpc":"2.0","id":';
const RESULT = ',"result":';
const SDK_HEAD = '{"result":';
const SDK_TAIL = ',"jsonrpc":"2.0","id":';

function framed(text: string): UpstreamMessage | undefined {
  const frame = splitResultFrame(text);
  return frame && result(frame.id, frame.raw);
}

/**
 * Splits `{"jsonrpc":"2.0","id":N,"result":…}` or `{"result":…,"jsonrpc":"2.0","id":N}` without other members or white
 * space. The split is correct if `raw` is one complete JSON value.
 */
export function splitResultFrame(text: string): { id: number; raw: string } | undefined {
  const last = text.length - 1;
  if (text.charCodeAt(last) !== CLOSE_BRACE) return undefined;
  if (text.startsWith(HEAD)) {
    const end = digitsEnd(text, HEAD.length);
    if (end === HEAD.length || !text.startsWith(RESULT, end)) return undefined;
    return { id: Number(text.slice(HEAD.length, end)), raw: text.slice(end + RESULT.length, last) };
  }
  if (!text.startsWith(SDK_HEAD)) return undefined;
  const tail = text.lastIndexOf(SDK_TAIL);
  const start = tail + SDK_TAIL.length;
  if (tail < 0 || start === last || digitsEnd(text, start) !== last) return undefined;
  return { id: Number(text.slice(start, last)), raw: text.slice(SDK_HEAD.length, tail) };
}

/** Returns the result; undefined if the text is not a JSON value, so that the split was not correct. */
function result(id: number, raw: string): UpstreamMessage | undefined {
  try {
    return answer(id, JSON.parse(raw), raw);
  } catch {
    return undefined;
  }
}

function general(text: string): UpstreamMessage {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return { kind: "batch", texts: elementTexts(text) };
  if (!isJsonObject(value)) throw new SyntaxError("not a JSON-RPC message");
  const other = nonResultMessage(value);
  if (other) return other;
  const { id } = value;
  const raw = "result" in value ? memberText(text, "result") : undefined;
  if (raw === undefined || !isRpcId(id)) throw new SyntaxError("neither a request nor a response");
  return answer(id, value.result, raw);
}

/** Returns the message that an object is according to its members; undefined if it may be a result. */
export function nonResultMessage({ id, method, params, error }: McpObject): UpstreamMessage | undefined {
  if (typeof method === "string") {
    const given = isJsonObject(params) ? params : {};
    return isRpcId(id)
      ? { kind: "request", id, method, params: given }
      : { kind: "notification", method, params: given };
  }
  if (isJsonObject(error)) return { kind: "error", id: isRpcId(id) ? id : null, error: boundedError(error) };
  return undefined;
}

function answer(id: RpcId, result: unknown, raw: string): UpstreamMessage {
  return isShallow(result) ? { kind: "result", id, reply: { result, raw: oneLine(raw) } } : { kind: "too deep", id };
}

const oneLine = (raw: string) => (raw.includes("\n") || raw.includes("\r") ? raw.replace(/[\r\n]/g, " ") : raw);

const CLOSE_BRACE = 125;
/** True for an id that JSON-RPC allows, other than null. */
export const isRpcId = (id: unknown): id is RpcId => typeof id === "number" || typeof id === "string";

/** Returns the index after the digits at `at`. The proxy's ids have at most 15. */
function digitsEnd(text: string, at: number): number {
  const most = at + 15;
  while (at < most) {
    const c = text.charCodeAt(at);
    if (c < 48 || c > 57) break;
    at++;
  }
  return at;
}
