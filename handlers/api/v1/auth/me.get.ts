import { endpoint } from "#lib/http/endpoint.ts";
import { Me } from "#lib/shape/user-entry.ts";
import { findUser, me } from "#lib/team/users.ts";

export default endpoint("GET /api/v1/auth/me", {
  summary: "Tell who is signed in",
  access: "user",
  flat: true,
  data: Me,
  run: ({ app, caller }) => me(app, findUser(app, caller.user!.id)),
});
