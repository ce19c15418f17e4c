import type { IncomingMessage } from "node:http";

/** What a client is told whose session id is not, or no longer, known. */
export const GONE = "Session not found; initialize again";

/** Whether a request's Accept header lets this type through; no header accepts everything. */
export function accepts(req: IncomingMessage, type: string): boolean {
  const { accept } = req.headers;
  if (accept === undefined || accept.includes(type) || accept.includes("*/*")) return true;
  return accept.includes(`${type.slice(0, type.indexOf("/"))}/*`);
}
