import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { active, list } from "#lib/core/verbs/profiles/list.ts";

/** The profile that views start with; it limits no client. */
export default endpoint("GET /api/v1/profiles/active", {
  summary: "Show the active profile",
  access: "read",
  data: v.object({ active_profile: v.pipe(v.string(), v.description("name of the profile; empty: all servers")) }),
  run({ app, caller }) {
    const name = active(app);
    const known = caller.tier === "admin" || list(app, caller).some((profile) => profile.name === name);
    return { active_profile: known ? name : "" };
  },
});
