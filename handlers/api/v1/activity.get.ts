import * as v from "valibot";
import { activityFilter } from "#lib/core/api/activity-filters.ts";
import { activityPage, activityPageMembers, activityQuery, activityWanted } from "#lib/core/api/activity-page.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ActivityEntryShape } from "#lib/core/schema/activity-entry.ts";
import { listActivity } from "#lib/core/verbs/activity/list.ts";

const NAME = "activity";

/** The activity records, newest first (spec 000 §2.8, §4.6). */
export default endpoint("GET /api/v1/activity", {
  summary: "List activity records",
  access: "read",
  query: v.object(activityQuery),
  data: v.object({ activities: v.array(ActivityEntryShape), ...activityPageMembers }),
  answers: { sparse: "activities" },
  async run({ app, query, caller, signal }) {
    const options = { ...activityWanted(NAME, query), signal };
    const { rows, page } = activityPage(NAME, query, await listActivity(app, activityFilter(query), options, caller));
    return { activities: rows, ...page };
  },
});
