import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { logout } from "#lib/modules/oauth/login/logout.ts";

/** Deletes the sign-in at a server and disconnects it. */
export default endpoint("POST /api/v1/servers/{name}/logout", {
  summary: "Sign out of a server",
  access: "admin",
  data: v.object({
    success: v.literal(true),
    server: v.string(),
    action: v.literal("logout"),
    was_signed_in: v.boolean(),
    revoked: v.pipe(v.boolean(), v.description("the sign-in server also revoked the tokens")),
    message: v.string(),
  }),
  faults: ["server_not_found"],
  async run({ app, params: { name }, by, signal }) {
    const { was, revoked } = await logout(app, name, by, signal);
    const how = revoked ? "and revoked the tokens at the provider" : "locally; the provider did not revoke the tokens";
    return {
      success: true as const,
      server: name,
      action: "logout" as const,
      was_signed_in: was,
      revoked,
      message: was ? `server "${name}": signed out ${how}` : `server "${name}": was not signed in`,
    };
  },
});
