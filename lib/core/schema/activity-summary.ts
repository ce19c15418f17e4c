import * as v from "valibot";

const about = v.description;
const count = v.number();

export const SummaryPeriod = v.picklist(["1h", "24h", "7d", "30d"]);
export type SummaryPeriod = v.InferOutput<typeof SummaryPeriod>;

/** The numbers of activity records of a period, by several attributes (reference 1.7). */
export const ActivitySummary = v.object({
  period: SummaryPeriod,
  start_time: v.string(),
  end_time: v.string(),
  total_count: count,
  success_count: count,
  error_count: count,
  blocked_count: v.pipe(count, about("number of calls rejected by policy")),
  rejected_count: v.pipe(count, about("number of calls rejected because the concurrency limit was reached")),
  top_servers: v.array(v.object({ name: v.string(), count })),
  top_tools: v.array(v.object({ server: v.string(), tool: v.string(), count })),
});
export type ActivitySummary = v.InferOutput<typeof ActivitySummary>;
