import { isUtf8 } from "node:buffer";
import { parseJson } from "../base/parse-json.ts";
import { RPC, type RpcErrorObject } from "../shape/mcp.ts";

/** Largest message of a client (bytes). */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export type Parsed = { readonly value: unknown } | { readonly error: RpcErrorObject };

/** Reads one message from outside: well-formed UTF-8, bounded depth, valid JSON, or an error that says which. */
export function parse(bytes: Buffer): Parsed {
  return isUtf8(bytes) ? parseText(bytes.toString("utf8")) : failed("the text is not valid UTF-8");
}

export function parseText(text: string): Parsed {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return failed((error as SyntaxError).message);
  }
}

function failed(reason: string): Parsed {
  return { error: { code: RPC.parse, message: `Parse error: ${reason}` } };
}
