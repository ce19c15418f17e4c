import * as v from "valibot";
import { byMembers } from "#lib/base/page.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { fieldsOf, onlyFields } from "#lib/http/fields.ts";
import { listing, pageMembers } from "#lib/http/listing.ts";
import { UserEntry } from "#lib/shape/user-entry.ts";
import { listUsers } from "#lib/team/users.ts";

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
