import { type EventOf, RELOAD_CAUSES } from "../../schema/event.ts";

/** The payload of an event as the stream carries it. */
export function streamedPayload({ kind, data }: EventOf): object {
  if (kind === "config.reloaded") return { path: data.path, reason: RELOAD_CAUSES[data.cause] };
  return data;
}
