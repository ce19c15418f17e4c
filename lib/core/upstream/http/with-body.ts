import { Readable } from "node:stream";
import type { OutgoingText } from "../transport.ts";

/** What a request for the HTTP client says of its body. The pieces of a long one are written as fast as they are read. */
export function withBody(
  text: OutgoingText,
  headers: Record<string, string>,
): { headers: Record<string, string>; body: string | Readable } {
  if (typeof text === "string") return { headers, body: text };
  const { pieces, sizeBytes } = text;
  return { headers: { ...headers, "content-length": String(sizeBytes) }, body: Readable.from(pieces) };
}
