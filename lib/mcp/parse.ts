import { isUtf8 } from "node:buffer";
import { nextTurn } from "../base/loop-share.ts";
import { parseJson, parseLargeJson } from "../base/parse-json.ts";
import { RPC, type RpcErrorObject } from "../shape/mcp.ts";

/** Largest message of a client (bytes). */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export type Parsed = { readonly value: unknown } | { readonly error: RpcErrorObject };

/** From here on a message is read in several turns of the event loop. (bytes) */
const LARGE_BYTES = 128 * 1024;

/**
 * Reads one message from outside: well-formed UTF-8, bounded depth and number of values, valid JSON, or an error that
 * says which. At once where it is small.
 */
export function parse(bytes: Buffer): Parsed | Promise<Parsed> {
  if (bytes.length > LARGE_BYTES) return parseLarge(bytes);
  return isUtf8(bytes) ? parseText(bytes.toString("utf8")) : NO_UTF8;
}

async function parseLarge(bytes: Buffer): Promise<Parsed> {
  await nextTurn();
  if (!isUtf8(bytes)) return NO_UTF8;
  const text = bytes.toString("utf8");
  try {
    return { value: await parseLargeJson(text) };
  } catch (error) {
    return failed((error as SyntaxError).message);
  }
}

export function parseText(text: string): Parsed {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return failed((error as SyntaxError).message);
  }
}

const NO_UTF8 = failed("the text is not valid UTF-8");

function failed(reason: string): Parsed {
  return { error: { code: RPC.parse, message: `Parse error: ${reason}` } };
}
