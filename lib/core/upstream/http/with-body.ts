import { Readable } from "node:stream";
import type { OutgoingText } from "../transport.ts";

/**
 * Returns the options of the HTTP client for a body. The pieces of a long body are sent as fast as the server reads
 * them.
 */
export function withBody(
  text: OutgoingText,
  headers: Readonly<Record<string, string>>,
): { headers: Readonly<Record<string, string>>; body: string | Readable } {
  if (typeof text === "string") return { headers, body: text };
  const { pieces, sizeBytes } = text;
  return { headers: { ...headers, "content-length": String(sizeBytes) }, body: Readable.from(pieces) };
}
