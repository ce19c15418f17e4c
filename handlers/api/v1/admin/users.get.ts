import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { UserEntry } from "#lib/shape/user-entry.ts";
import { listUsers } from "#lib/team/users.ts";

export default endpoint("GET /api/v1/admin/users", {
  summary: "List the users of the multi-user edition",
  access: "admin",
  data: v.object({ users: v.array(UserEntry), total: v.number() }),
  run({ app }) {
    const users = listUsers(app);
    return { users, total: users.length };
  },
});
