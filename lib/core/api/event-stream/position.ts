import type { App } from "../../app.ts";

/** Returns the id of a position in the event stream of this process: after the event with that number. */
export function positionId({ startedAt }: App["boot"], number: number): string {
  return `${startedAt.toString(36)}-${number}`;
}

/**
 * Returns where a stream begins: at the latest event, or directly after the last event that a returning reader
 * received.
 *
 * @returns `known` is false if the reader's position is unknown here, because it is of another process or invalid
 */
export function startPosition(
  { boot, events }: Pick<App, "boot" | "events">,
  lastEventId: string | undefined,
): { after: number; known: boolean } {
  if (lastEventId === undefined || lastEventId === "") return { after: events.last, known: true };
  const number = Number(/-(\d{1,15})$/.exec(lastEventId)?.[1]);
  const isKnown = lastEventId === positionId(boot, number) && number <= events.last;
  return { after: isKnown ? number : events.last, known: isKnown };
}
