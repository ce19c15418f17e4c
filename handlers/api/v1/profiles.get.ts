import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { listProfiles } from "#lib/core/verbs/profiles/list.ts";

/** The named sets of servers, each as it works out now. */
export default endpoint("GET /api/v1/profiles", {
  summary: "List the profiles",
  access: "read",
  data: v.object({
    profiles: v.array(
      v.object({
        name: v.string(),
        servers: v.pipe(v.array(v.string()), v.description("its servers that are configured")),
        unknown_servers: v.pipe(v.array(v.string()), v.description("names in the profile that match no server")),
        tool_count: v.number(),
        active: v.boolean(),
      }),
    ),
  }),
  run: ({ app, caller }) => ({ profiles: listProfiles(app, caller) }),
});
