import * as v from "valibot";
import { list } from "#lib/activity/list.ts";
import { activityFilter, activityFilters } from "#lib/http/activity-query.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { clamped, offset } from "#lib/http/query.ts";
import { ActivityEntry } from "#lib/shape/activity-entry.ts";

/** What one did oneself, and one's agents; also for administrators, who see the rest elsewhere. */
export default endpoint("GET /api/v1/user/activity", {
  summary: "List one's own activity records",
  access: "user",
  query: v.object({ ...activityFilters, limit: clamped(1, 100, 50), offset: offset() }),
  data: v.object({
    items: v.array(ActivityEntry),
    total: v.pipe(v.number(), v.description("matches in all, counted up to 100,000")),
    limit: v.number(),
    offset: v.number(),
  }),
  run({ app, query: { limit, offset, ...filters }, caller }) {
    const own = { ...activityFilter(filters), user_id: caller.user!.id };
    const { activities: items, total } = list(app, own, { limit, offset }, caller);
    return { items, total, limit, offset };
  },
});
