import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { UserEntry } from "#lib/core/schema/user-entry.ts";
import { enableUser } from "#lib/modules/team/users.ts";

/** Groups and role apply again after the user's next sign-in. */
export default endpoint("POST /api/v1/admin/users/{id}/enable", {
  summary: "Enable a user",
  access: "admin",
  data: v.object({ user: UserEntry, message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params, by }) {
    const user = await enableUser(app, params.id, by);
    return { user, message: `${user.email}: enabled` };
  },
});
