import * as v from "valibot";
import { activityFilter } from "#lib/core/api/activity-filters.ts";
import { activityPage, activityPageMembers, activityQuery, activityWanted } from "#lib/core/api/activity-page.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ActivityEntryShape } from "#lib/core/schema/activity-entry.ts";
import { listActivity } from "#lib/core/verbs/activity/list.ts";

const NAME = "own_activity";

/** The caller's own activity and that of the caller's agents; for administrators too, who see the rest elsewhere. */
export default endpoint("GET /api/v1/user/activity", {
  summary: "List the user's own activity records",
  access: "user",
  query: v.object(activityQuery),
  data: v.object({ items: v.array(ActivityEntryShape), ...activityPageMembers }),
  answers: { sparse: "items" },
  async run({ app, query, caller, signal }) {
    const filter = { ...activityFilter(query), user_id: caller.user!.id };
    const options = { ...activityWanted(NAME, query), signal };
    const { rows, page } = activityPage(NAME, query, await listActivity(app, filter, options, caller));
    return { items: rows, ...page };
  },
});
