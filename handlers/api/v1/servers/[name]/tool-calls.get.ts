import * as v from "valibot";
import { activityFilter } from "#lib/core/api/activity-filters.ts";
import { activityPage, activityPageMembers, activityQuery, activityWanted } from "#lib/core/api/activity-page.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ActivityEntryShape } from "#lib/core/schema/activity-entry.ts";
import { listActivity } from "#lib/core/verbs/activity/list.ts";
import { findServer } from "#lib/core/verbs/servers/find.ts";

const NAME = "tool-calls";
const { type: _, server: __, ...query } = activityQuery;

/** The calls of one server's tools, newest first: a filtered activity list (reference 1.2). */
export default endpoint("GET /api/v1/servers/{name}/tool-calls", {
  summary: "List the tool calls of a server",
  access: "read",
  query: v.object(query),
  data: v.object({ server_name: v.string(), tool_calls: v.array(ActivityEntryShape), ...activityPageMembers }),
  answers: { sparse: "tool_calls" },
  faults: ["server_not_found"],
  async run({ app, params, query, caller, signal }) {
    const server = findServer(app, params.name, caller).name;
    const filters = { ...query, type: ["tool_call" as const], server };
    const found = await listActivity(
      app,
      activityFilter(filters),
      { ...activityWanted(NAME, filters), signal },
      caller,
    );
    const { rows, page } = activityPage(NAME, filters, found);
    return { server_name: server, tool_calls: rows, ...page };
  },
});
