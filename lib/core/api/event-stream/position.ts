import type { App } from "../../app.ts";

/** The id of a position in the event stream of this process: after the event of that number. */
export function positionId({ startedAt }: App["boot"], number: number): string {
  return `${startedAt.toString(36)}-${number}`;
}

/**
 * Where a stream begins: at the latest event, or right after the last event that a returning reader received.
 *
 * @returns `known` is false when the reader's place means nothing here: another run's, or none at all
 */
export function startPosition(
  { boot, events }: Pick<App, "boot" | "events">,
  lastEventId: string | undefined,
): { after: number; known: boolean } {
  if (lastEventId === undefined || lastEventId === "") return { after: events.last, known: true };
  const number = Number(/-(\d{1,15})$/.exec(lastEventId)?.[1]);
  const known = lastEventId === positionId(boot, number) && number <= events.last;
  return { after: known ? number : events.last, known };
}
