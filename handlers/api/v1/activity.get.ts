import * as v from "valibot";
import { list } from "#lib/activity/list.ts";
import { activityPage, activityPageMembers, activityQuery, activityWanted } from "#lib/http/activity-page.ts";
import { activityFilter } from "#lib/http/activity-query.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { ActivityEntry } from "#lib/shape/activity-entry.ts";

const NAME = "activity";

/** What happened, newest first (spec 000 §2.8, §4.6). */
export default endpoint("GET /api/v1/activity", {
  summary: "List activity records",
  access: "read",
  query: v.object(activityQuery),
  data: v.object({ activities: v.array(ActivityEntry), ...activityPageMembers }),
  answers: { sparse: "activities" },
  async run({ app, query, caller, signal }) {
    const wanted = { ...activityWanted(NAME, query), signal };
    const { rows, page } = activityPage(NAME, query, await list(app, activityFilter(query), wanted, caller));
    return { activities: rows, ...page };
  },
});
