import { parseJson } from "../base/parse-json.ts";
import { parseLargeJson } from "../base/parse-large-json.ts";
import { RPC, type RpcErrorObject } from "../schema/mcp.ts";

/** Maximum size of a client's message (bytes). */
export const MAX_CLIENT_MESSAGE_BYTES = 16 * 1024 * 1024;

export type ParsedMessage = { readonly value: unknown } | MalformedText;

/** Why a text is no message. */
export interface MalformedText {
  readonly error: RpcErrorObject;
}

/** Messages of at least this length are parsed in several turns of the event loop. (characters) */
const LARGE = 128 * 1024;

/**
 * Parses one message from outside. Its depth and number of values are limited. The result is not a promise if the
 * message is small.
 */
export function parseMessage(text: string): ParsedMessage | Promise<ParsedMessage> {
  if (text.length > LARGE) return parseLarge(text);
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return failed((error as SyntaxError).message);
  }
}

/** Never rejects. */
async function parseLarge(text: string): Promise<ParsedMessage> {
  try {
    return { value: await parseLargeJson(text) };
  } catch (error) {
    return failed((error as SyntaxError).message);
  }
}

export const INVALID_UTF8 = failed("the text is not valid UTF-8");

function failed(reason: string): MalformedText {
  return { error: { code: RPC.parse, message: `Parse error: ${reason}` } };
}
