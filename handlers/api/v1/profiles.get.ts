import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ProfileRecord } from "#lib/core/schema/profile-record.ts";
import { listProfiles } from "#lib/core/verbs/profiles/list.ts";

/** The profiles with their current servers. */
export default endpoint("GET /api/v1/profiles", {
  summary: "List the profiles",
  access: "read",
  data: v.object({
    profiles: v.array(ProfileRecord),
  }),
  run: ({ app, caller }) => ({ profiles: listProfiles(app, caller) }),
});
