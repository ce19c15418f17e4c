import { type EventOf, RELOAD_CAUSES } from "../../schema/event.ts";

/** Returns the payload of an event as it is sent on the stream. */
export function streamedPayload({ kind, data }: EventOf): object {
  if (kind === "config.reloaded") return { path: data.path, reason: RELOAD_CAUSES[data.cause] };
  return data;
}
