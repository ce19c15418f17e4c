import * as v from "valibot";
import { list } from "#lib/activity/list.ts";
import { activityFilter, activityFilters } from "#lib/http/activity-query.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { clamped, offset } from "#lib/http/query.ts";
import { ActivityEntry } from "#lib/shape/activity-entry.ts";

/** What happened, newest first (spec 000 §2.8, §4.6). */
export default endpoint("GET /api/v1/activity", {
  summary: "List activity records",
  access: "read",
  query: v.object({ ...activityFilters, limit: clamped(1, 100, 50), offset: offset() }),
  data: v.object({
    activities: v.array(ActivityEntry),
    total: v.pipe(v.number(), v.description("matches in all, counted up to 100,000")),
    limit: v.number(),
    offset: v.number(),
  }),
  run({ app, query: { limit, offset, ...filters }, caller }) {
    return { ...list(app, activityFilter(filters), { limit, offset }, caller), limit, offset };
  },
});
