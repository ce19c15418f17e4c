import type { IncomingHttpHeaders } from "node:http";
import { isPlain } from "../api/read-json-body.ts";

/** The error for a client whose session id is unknown or has ended. */
export const SESSION_NOT_FOUND = "Session not found; initialize again";

/** Returns why a POST cannot contain a message, from its headers alone: status and reason. */
export function postRejection(headers: IncomingHttpHeaders): [status: number, reason: string] | undefined {
  // The protocol prescribes this type; besides, a form on a web page cannot send it.
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return [415, "Content-Type must be application/json"];
  const encoding = headers["content-encoding"];
  if (encoding && !isPlain(encoding)) return [415, "Content-Encoding is not supported; send the body uncompressed"];
  if (!acceptsType(headers, "application/json") && !acceptsType(headers, "text/event-stream"))
    return [406, "Accept must allow application/json or text/event-stream"];
  return undefined;
}

/** True if a request's Accept header allows this type. Without the header every type is allowed. */
export function acceptsType({ accept }: IncomingHttpHeaders, type: string): boolean {
  if (accept === undefined || accept.includes(type) || accept.includes("*/*")) return true;
  return accept.includes(`${type.slice(0, type.indexOf("/"))}/*`);
}
