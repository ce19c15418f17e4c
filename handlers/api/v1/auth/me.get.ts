import { endpoint } from "#lib/core/api/endpoint.ts";
import { Me } from "#lib/core/schema/user-entry.ts";
import { findUser, me } from "#lib/modules/team/users.ts";

export default endpoint("GET /api/v1/auth/me", {
  summary: "Show the signed-in user",
  access: "user",
  flat: true,
  data: Me,
  run: ({ app, caller }) => me(app, findUser(app, caller.user!.id)),
});
