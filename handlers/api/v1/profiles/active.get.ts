import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { activeProfile, listProfiles } from "#lib/core/verbs/profiles/list.ts";

/** The default profile of the control panel's views; it does not limit clients. */
export default endpoint("GET /api/v1/profiles/active", {
  summary: "Show the active profile",
  access: "read",
  data: v.object({ active_profile: v.pipe(v.string(), v.description("name of the profile; empty: all servers")) }),
  run({ app, caller }) {
    const name = activeProfile(app);
    const isVisible = caller.tier === "admin" || listProfiles(app, caller).some((profile) => profile.name === name);
    return { active_profile: isVisible ? name : "" };
  },
});
