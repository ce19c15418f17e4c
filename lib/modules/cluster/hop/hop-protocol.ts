/**
 * The protocol between replicas, over HTTP/2 with certificates of both sides. Each server has one stream of lines in
 * both directions. A line is a JSON-RPC message of MCP, or a note: `#` and JSON.
 *
 * To the owner, a note precedes the request of a caller. To the others, one precedes a message that belongs to a
 * request, or stands in place of a response.
 */
export const HOP_PATH = "/process";

export const HOP_HEADERS = {
  server: "x-hop-server",
  /** The token of the ownership, as the sender knows it. */
  token: "x-hop-token",
  /** Hash of the server's definition, as the sender knows it. */
  definition: "x-hop-definition",
  /** Why the stream is refused. */
  reason: "x-hop-reason",
} as const;

const NOTE = "#";

/** A line in front of the request that it is about. */
export interface CallerNote {
  readonly for: number;
  readonly caller: unknown;
}

/** A line of the owner. */
export type OwnerNote =
  /** The next message belongs to this request. */
  | { readonly carrier: number }
  /** This request gets no response. */
  | { readonly failed: number; readonly code: string; readonly facts: Record<string, unknown>; readonly text: string }
  /** The owner is about to end. It refuses requests that come after those that it has received. */
  | { readonly leaving: true }
  /** This request was not passed on, because the owner is about to end. */
  | { readonly refused: number }
  /** The process has ended. */
  | { readonly ended: string };

export const noteLine = (note: CallerNote | OwnerNote): string => `${NOTE}${JSON.stringify(note)}\n`;

/** Returns the content of a note; undefined for a message. @throws SyntaxError */
export function readNote(line: string): unknown {
  return line.startsWith(NOTE) ? JSON.parse(line.slice(NOTE.length)) : undefined;
}
