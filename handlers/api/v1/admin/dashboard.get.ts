import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ActivityEntryShape } from "#lib/core/schema/activity-entry.ts";
import { UserEntry } from "#lib/core/schema/user-entry.ts";
import { dashboard } from "#lib/modules/team/dashboard.ts";

const count = v.number();

/** The overview of the installation (reference 12.1). */
export default endpoint("GET /api/v1/admin/dashboard", {
  summary: "Summarize users, servers and calls",
  access: "admin",
  data: v.object({
    total_users: count,
    active_users: v.pipe(count, v.description("number of users with a browser session")),
    active_sessions: count,
    total_servers: count,
    healthy_servers: count,
    tool_calls_24h: count,
    error_rate_24h: v.pipe(v.number(), v.description("0 to 1")),
    recent_users: v.array(UserEntry),
    recent_activity: v.array(ActivityEntryShape),
  }),
  run: ({ app, caller }) => dashboard(app, caller),
});
