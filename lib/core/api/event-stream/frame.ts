import { rfc3339 } from "../../base/clock.ts";

/**
 * One frame of the event stream. JSON text holds no line end, so the data is always one line.
 *
 * @param id where a reader goes on after this frame (`Last-Event-ID`)
 */
export function eventFrame(event: string, data: unknown, id: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** What a frame about something that happened carries: `timestamp` in whole seconds, `at` to the millisecond. */
export function datedPayload(payload: unknown, ms: number) {
  return { payload, timestamp: wholeSeconds(ms), at: rfc3339(ms) };
}

/** The first bytes: confirm the connection and set the reader's reconnect delay to five seconds. */
export const OPENING_FRAME = ": connected\nretry: 5000\n\n";

/** A heartbeat: as a comment, which readers skip, and as an event, for which they can listen. */
export function pingFrame(ms: number, id: string): string {
  return `: alive\n${eventFrame("ping", { timestamp: wholeSeconds(ms) }, id)}`;
}

export function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
