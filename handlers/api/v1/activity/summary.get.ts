import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { choice } from "#lib/core/api/query.ts";
import { SUMMARY_PERIODS, type SummaryPeriod, summariseActivity } from "#lib/core/verbs/activity/summary.ts";

const about = v.description;
const count = v.number();
const PERIOD = Object.keys(SUMMARY_PERIODS) as SummaryPeriod[];

/** What happened lately, in numbers (reference 1.7). */
export default endpoint("GET /api/v1/activity/summary", {
  summary: "Summarize the activity of the last hour, day, week or month",
  access: "read",
  query: v.object({ period: choice(PERIOD, "24h", "period") }),
  data: v.object({
    period: v.picklist(PERIOD),
    start_time: v.string(),
    end_time: v.string(),
    total_count: count,
    success_count: count,
    error_count: count,
    blocked_count: v.pipe(count, about("number of calls rejected by policy")),
    rejected_count: v.pipe(count, about("number of calls rejected because the concurrency limit was reached")),
    top_servers: v.array(v.object({ name: v.string(), count })),
    top_tools: v.array(v.object({ server: v.string(), tool: v.string(), count })),
  }),
  run: ({ app, caller, query: { period }, signal }) => summariseActivity(app, period, caller, signal),
});
