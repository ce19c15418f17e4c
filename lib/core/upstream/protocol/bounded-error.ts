import type { McpObject, RpcErrorObject } from "../../schema/mcp.ts";
import { MAX_UPSTREAM_DEPTH } from "./depth.ts";

/** Maximum length of the message of an upstream's JSON-RPC error that callers get. (characters) */
export const MAX_ERROR_MESSAGE_CHARS = 65_536;
/** Maximum size of its `data`: the characters of its texts and names, plus one for each value. */
export const MAX_ERROR_DATA_SIZE = 65_536;
/** Number of characters beyond the limit that are read, so that a secret at the cut is recognised. */
const SPARE = 4096;

/** Replaces `data` that is too large or nested too deep. */
const LEFT_OUT = {
  "proxy/left_out": `the data of this error is larger than ${MAX_ERROR_DATA_SIZE} characters or too deep`,
};

/**
 * Limits the size of an upstream's error before it is processed further. `maskedError` then makes the error for
 * callers.
 */
export function boundedError(error: McpObject): RpcErrorObject {
  const { code, message } = error;
  return {
    code: typeof code === "number" ? code : -32603,
    message:
      typeof message === "string" ? message.slice(0, MAX_ERROR_MESSAGE_CHARS + SPARE) : "error without a message",
    ...("data" in error && {
      data: jsonSize(error.data, MAX_ERROR_DATA_SIZE, MAX_UPSTREAM_DEPTH) < 0 ? LEFT_OUT : error.data,
    }),
  };
}

/**
 * Returns an upstream's error for callers: shortened if it is too long, and without the secrets of the server's
 * definition.
 *
 * @param mask replaces these secrets in a text
 */
export function maskedError({ code, message, data }: RpcErrorObject, mask: (text: string) => string): RpcErrorObject {
  return {
    code,
    message: message.length <= MAX_ERROR_MESSAGE_CHARS ? mask(message) : cut(mask(message)),
    ...(data !== undefined && { data: maskTexts(data, mask) }),
  };
}

/**
 * Cuts a message. Its last characters are dropped, because they may be part of a secret that masking did not recognise.
 */
function cut(message: string): string {
  return `${message.slice(0, -SPARE).slice(0, MAX_ERROR_MESSAGE_CHARS)}… [truncated: an error message may have at most ${MAX_ERROR_MESSAGE_CHARS} characters]`;
}

/** Masks every text and name of a JSON value; returns the value itself if nothing changes. */
export function maskTexts(value: unknown, mask: (text: string) => string): unknown {
  const json = JSON.stringify(value);
  let changed = false;
  const shown = (text: string) => {
    const masked = mask(text);
    if (masked !== text) changed = true;
    return masked;
  };
  const masked = JSON.parse(json, (_, member: unknown) => {
    if (typeof member === "string") return shown(member);
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    const names = Object.keys(member);
    if (names.every((name) => shown(name) === name)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [shown(name), inner]));
  });
  return changed ? masked : value;
}

/** Returns `most` minus the size of a value; negative if the value is too large or nested deeper than `depth`. */
export function jsonSize(value: unknown, most: number, depth: number): number {
  if (typeof value === "string") return most - 1 - value.length;
  if (typeof value !== "object" || value === null) return most - 1;
  if (depth === 0) return -1;
  let left = most - 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = jsonSize(item, left, depth - 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const name in value) {
    left = jsonSize((value as McpObject)[name], left - name.length, depth - 1);
    if (left < 0) return left;
  }
  return left;
}
