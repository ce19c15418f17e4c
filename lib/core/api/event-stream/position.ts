import type { EventHistory } from "../../extension/replica-sharing.ts";

/**
 * Returns where a stream begins: at the latest event, or directly after the last event that a returning reader
 * received.
 *
 * @returns `known` is false if the reader's position is unknown here, because it is of another history or invalid
 */
export function startPosition(
  history: Pick<EventHistory, "last" | "positionId">,
  lastEventId: string | undefined,
): { after: number; known: boolean } {
  if (lastEventId === undefined || lastEventId === "") return { after: history.last, known: true };
  const number = Number(/-(\d{1,15})$/.exec(lastEventId)?.[1]);
  const isKnown = lastEventId === history.positionId(number) && number <= history.last;
  return { after: isKnown ? number : history.last, known: isKnown };
}
