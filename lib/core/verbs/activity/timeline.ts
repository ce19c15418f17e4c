import { rfc3339 } from "../../base/clock.ts";
import type { ActivitySlot } from "../../schema/activity.ts";
import type { TimelineSlot } from "../../schema/tool-usage.ts";

/** Maximum number of time slots in a response; only the latest are returned. */
const MAX_SLOTS = 1000;

/** Counts calls per time slot of a fixed length. */
export function createTimeline(slotMs: number) {
  const slots = new Map<number, Omit<TimelineSlot, "start">>();
  return {
    add({ slot, status, count, response_bytes }: ActivitySlot): void {
      if (status === "blocked" || status === "rejected") return;
      const one = slots.get(slot) ?? { calls: 0, errors: 0, total_resp_bytes: 0 };
      one.calls += count;
      if (status === "error") one.errors += count;
      one.total_resp_bytes += response_bytes;
      slots.set(slot, one);
    },
    /** Returns every time slot from `since`, or from the first call, to `now`, including slots without calls. */
    slots(since: number | undefined, now: number): TimelineSlot[] {
      const last = Math.floor(now / slotMs);
      const first = since === undefined ? Math.min(last, ...slots.keys()) : Math.floor(since / slotMs);
      const told: TimelineSlot[] = [];
      for (let slot = Math.max(first, last - MAX_SLOTS + 1); slot <= last; slot++) {
        const { calls = 0, errors = 0, total_resp_bytes = 0 } = slots.get(slot) ?? {};
        told.push({ start: rfc3339(slot * slotMs), calls, errors, total_resp_bytes });
      }
      return told;
    },
  };
}
