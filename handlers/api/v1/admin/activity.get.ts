import * as v from "valibot";
import { activityFilter } from "#lib/core/api/activity-filters.ts";
import { activityPage, activityPageMembers, activityQuery, activityWanted } from "#lib/core/api/activity-page.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { text } from "#lib/core/api/query.ts";
import { ActivityEntryShape } from "#lib/core/schema/activity-entry.ts";
import { listActivity } from "#lib/core/verbs/activity/list.ts";

const NAME = "all_activity";

/** The activity of all users, or of one. */
export default endpoint("GET /api/v1/admin/activity", {
  summary: "List the activity records of all users",
  access: "admin",
  query: v.object({ ...activityQuery, user_id: text(64, "only records of this user") }),
  data: v.object({ items: v.array(ActivityEntryShape), ...activityPageMembers }),
  answers: { sparse: "items" },
  async run({ app, query, caller, signal }) {
    const { user_id } = query;
    const filter = { ...activityFilter(query), ...(user_id !== undefined && { user_id }) };
    const options = { ...activityWanted(NAME, query), signal };
    const { rows, page } = activityPage(NAME, query, await listActivity(app, filter, options, caller));
    return { items: rows, ...page };
  },
});
