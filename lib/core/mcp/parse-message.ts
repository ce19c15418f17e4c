import { parseJson } from "../base/parse-json.ts";
import { parseLargeJson } from "../base/parse-large-json.ts";
import { RPC, type RpcErrorObject } from "../schema/mcp.ts";

/** Largest message of a client (bytes). */
export const MAX_CLIENT_MESSAGE_BYTES = 16 * 1024 * 1024;

export type ParsedMessage = { readonly value: unknown } | { readonly error: RpcErrorObject };

/** From here on a message is read in several turns of the event loop. (characters) */
const LARGE = 128 * 1024;

/**
 * Reads one message from outside: bounded depth and number of values, valid JSON, or an error that says which. At once
 * where it is small.
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

function failed(reason: string): ParsedMessage {
  return { error: { code: RPC.parse, message: `Parse error: ${reason}` } };
}
