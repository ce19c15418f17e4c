import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { UserEntry } from "#lib/core/schema/user-entry.ts";
import { disableUser } from "#lib/modules/team/users.ts";

/** Sessions, streams and bearer tokens end; agent tokens are suspended (spec 001 §5 item 4). */
export default endpoint("POST /api/v1/admin/users/{id}/disable", {
  summary: "Disable a user",
  access: "admin",
  data: v.object({ user: UserEntry, message: v.string() }),
  faults: ["no_such_record", "own_account"],
  async run({ app, params, by }) {
    const user = await disableUser(app, params.id, by);
    return { user, message: `${user.email}: disabled` };
  },
});
