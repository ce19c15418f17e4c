import { Outbox } from "../base/outbox.ts";
import { type MessageText, messageBytes } from "./message-text.ts";
import type { McpResponse } from "./received-post.ts";
import type { Outlet } from "./sessions.ts";

/** If more bytes wait for a slow reader, notifications are dropped. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** An event stream to one client (server-sent events, as in streamable HTTP). */
export interface ClientEventStream extends Outlet {
  /** Sends a message that must not be dropped. */
  deliver(text: MessageText): Promise<void> | void;
}

/**
 * Opens an event stream on a response. A reader that is too slow loses notifications, so that they do not fill the
 * memory; results are always delivered.
 */
export function openClientEventStream(res: McpResponse, headers: readonly string[]): ClientEventStream {
  res.writeHead(200, [
    "content-type",
    "text/event-stream",
    "x-content-type-options",
    "nosniff",
    "cache-control",
    "no-cache, no-transform",
    // Without this header, some reverse proxies buffer event streams.
    "x-accel-buffering",
    "no",
    ...headers,
  ]);
  res.flushHeaders();
  const outbox = new Outbox(res);
  const write = (text: string | Buffer) => {
    if (!res.writableEnded && !res.destroyed) outbox.write(text);
  };
  const deliverPieces = async (pieces: readonly string[]) => {
    // The parts are written synchronously, so that nothing else is written in between.
    for (const part of [FRAME_START, ...(await messageBytes(pieces)), FRAME_END]) write(part);
  };
  const full = () => res.writableLength + outbox.waiting > MAX_BACKLOG_BYTES;
  return {
    send: (text) => {
      if (!full()) write(frame(text));
    },
    deliver: (text) => (typeof text === "string" ? write(frame(text)) : deliverPieces(text)),
    keepAlive: () => {
      if (!full()) write(": alive\n\n");
    },
    end: () => {
      if (!res.writableEnded) outbox.end();
    },
  };
}

const FRAME_START = "event: message\ndata: ";
const FRAME_END = "\n\n";

function frame(text: string): string {
  return FRAME_START + text + FRAME_END;
}
