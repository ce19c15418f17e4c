import * as v from "valibot";

const about = v.description;
const count = v.number();
const maybe = v.nullable(v.number());

/** The number of calls of one tool within a window, their duration and the size of their results (reference 1.9). */
export const ToolUsage = v.object({
  server: v.string(),
  tool: v.string(),
  calls: v.pipe(count, about("completed calls")),
  errors: count,
  error_rate: v.pipe(count, about("0 to 1")),
  blocked: v.pipe(count, about("calls rejected by policy")),
  rejected: v.pipe(count, about("calls rejected because the concurrency limit was reached")),
  total_req_bytes: count,
  avg_req_bytes: maybe,
  total_resp_bytes: count,
  avg_resp_bytes: maybe,
  sized_calls: v.pipe(count, about("calls with a known response size")),
  p50_ms: maybe,
  p95_ms: maybe,
  last_used: v.string(),
});
export type ToolUsage = v.InferOutput<typeof ToolUsage>;

/** The calls within one time slot. */
export const TimelineSlot = v.object({ start: v.string(), calls: count, errors: count, total_resp_bytes: count });
export type TimelineSlot = v.InferOutput<typeof TimelineSlot>;
