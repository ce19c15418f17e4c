import * as v from "valibot";
import { list } from "#lib/activity/list.ts";
import { activityFilter, activityFilters } from "#lib/http/activity-query.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { clamped, offset, text } from "#lib/http/query.ts";
import { ActivityEntry } from "#lib/shape/activity-entry.ts";

/** What everybody did, or one user. */
export default endpoint("GET /api/v1/admin/activity", {
  summary: "List the activity records of all users",
  access: "admin",
  query: v.object({
    ...activityFilters,
    user_id: text(64, "only what this user did"),
    limit: clamped(1, 100, 50),
    offset: offset(),
  }),
  data: v.object({
    items: v.array(ActivityEntry),
    total: v.pipe(v.number(), v.description("matches in all, counted up to 100,000")),
    limit: v.number(),
    offset: v.number(),
  }),
  run({ app, query: { limit, offset, user_id, ...filters }, caller }) {
    const wanted = { ...activityFilter(filters), ...(user_id !== undefined && { user_id }) };
    const { activities: items, total } = list(app, wanted, { limit, offset }, caller);
    return { items, total, limit, offset };
  },
});
