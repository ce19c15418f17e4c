import { rfc3339 } from "../../base/clock.ts";

/**
 * Formats one event of the stream. JSON text contains no line breaks, so the data is always one line.
 *
 * @param id the position from which a reader continues after this event (`Last-Event-ID`)
 */
export function eventFrame(event: string, data: unknown, id: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Returns the data of an event with its time: `timestamp` in whole seconds, `at` with milliseconds. */
export function datedPayload(payload: unknown, ms: number) {
  return { payload, timestamp: wholeSeconds(ms), at: rfc3339(ms) };
}

/** The first text of a stream: confirms the connection and sets the reader's reconnect delay to five seconds. */
export const OPENING_FRAME = ": connected\nretry: 5000\n\n";

/** Formats a heartbeat: as a comment, which readers skip, and as an event, for which they can listen. */
export function pingFrame(ms: number, id: string): string {
  return `: alive\n${eventFrame("ping", { timestamp: wholeSeconds(ms) }, id)}`;
}

/** Converts milliseconds to seconds, rounded down. */
export function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
