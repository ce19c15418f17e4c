import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsParameter, pickFields } from "#lib/core/api/fields.ts";
import { pagedListing } from "#lib/core/api/listing.ts";
import { pageMembers, rowsByMembers } from "#lib/core/schema/list-page.ts";
import { UserEntry } from "#lib/core/schema/user-entry.ts";
import { listUsers } from "#lib/modules/team/users.ts";

const pages = pagedListing(
  "users",
  ["id", "email", "role", "created_at", "last_login_at", "active_sessions", "tokens"],
  "email",
);

export default endpoint("GET /api/v1/admin/users", {
  summary: "List the users of the multi-user edition",
  access: "admin",
  query: v.object({ ...pages.query, fields: fieldsParameter(UserEntry) }),
  data: v.object({ users: v.array(UserEntry), ...pageMembers }),
  answers: { sparse: "users" },
  async run({ app, query }) {
    const { rows, ...page } = await pages.choose(query)(rowsByMembers(listUsers(app), "id"));
    return { users: rows.map((user) => pickFields(user, query.fields)), ...page };
  },
});
