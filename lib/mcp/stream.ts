import type { ServerResponse } from "node:http";
import type { Outlet } from "./sessions.ts";

/** What may wait for a slow reader before what can be left out is left out (bytes). */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** One event stream to a client (server-sent events, as streamable HTTP uses them). */
export interface EventStream extends Outlet {
  /** Sends a message that must arrive. */
  deliver(text: string): void;
}

/**
 * Opens an event stream on a response. A reader that is not reading loses notifications, never memory of ours; its
 * answer is delivered whatever the backlog.
 */
export function openStream(res: ServerResponse, headers: readonly string[]): EventStream {
  res.writeHead(200, [
    "content-type",
    "text/event-stream",
    "x-content-type-options",
    "nosniff",
    "cache-control",
    "no-cache, no-transform",
    // Reverse proxies hold event streams back otherwise.
    "x-accel-buffering",
    "no",
    ...headers,
  ]);
  res.flushHeaders();
  const write = (text: string) => {
    if (!res.writableEnded && !res.destroyed) res.write(text);
  };
  const full = () => res.writableLength > MAX_BACKLOG_BYTES;
  return {
    send: (text) => {
      if (!full()) write(frame(text));
    },
    deliver: (text) => write(frame(text)),
    beat: () => {
      if (!full()) write(": alive\n\n");
    },
    end: () => {
      if (!res.writableEnded) res.end();
    },
  };
}

function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
