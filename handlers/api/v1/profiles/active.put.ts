import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { activateProfile } from "#lib/core/verbs/profiles/activate.ts";

const name = v.optional(v.pipe(v.string(), v.description("name of a profile; empty: all servers")));

/** Sets the default profile of the control panel's views. */
export default endpoint("PUT /api/v1/profiles/active", {
  summary: "Choose the active profile",
  access: "admin",
  body: v.object({ profile: name, active_profile: name }),
  data: v.object({ active_profile: v.string() }),
  faults: ["profile_unknown"],
  async run({ app, body: { profile, active_profile }, by }) {
    const requestedName = profile ?? active_profile;
    if (requestedName === undefined) throw new Fault("invalid_request", { reason: "profile: is required" });
    return { active_profile: await activateProfile(app, requestedName, by) };
  },
});
