import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { choice } from "#lib/core/api/query.ts";
import { ActivitySummary, SummaryPeriod } from "#lib/core/schema/activity-summary.ts";
import { summariseActivity } from "#lib/core/verbs/activity/summarise-activity.ts";

/** Counts of recent activity (reference 1.7). */
export default endpoint("GET /api/v1/activity/summary", {
  summary: "Summarize the activity of the last hour, day, week or month",
  access: "read",
  query: v.object({ period: choice(SummaryPeriod.options, "24h", "period") }),
  data: ActivitySummary,
  run: ({ app, caller, query: { period }, signal }) => summariseActivity(app, period, caller, signal),
});
