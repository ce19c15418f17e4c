import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsOf, onlyFields } from "#lib/core/api/fields.ts";
import { listing, pageMembers } from "#lib/core/api/listing.ts";
import { byMembers } from "#lib/core/base/page.ts";
import { UserEntry } from "#lib/core/schema/user-entry.ts";
import { listUsers } from "#lib/modules/team/users.ts";

const pages = listing(
  "users",
  ["id", "email", "role", "created_at", "last_login_at", "active_sessions", "tokens"],
  "email",
);

export default endpoint("GET /api/v1/admin/users", {
  summary: "List the users of the multi-user edition",
  access: "admin",
  query: v.object({ ...pages.query, fields: fieldsOf(UserEntry) }),
  data: v.object({ users: v.array(UserEntry), ...pageMembers }),
  answers: { sparse: "users" },
  async run({ app, query }) {
    const { rows, ...page } = await pages.choose(query)(byMembers(listUsers(app), "id"));
    return { users: rows.map((user) => onlyFields(user, query.fields)), ...page };
  },
});
