import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { removeCredential } from "#lib/modules/team/credentials.ts";

export default endpoint("DELETE /api/v1/user/credentials/{server}", {
  summary: "Delete the user's own sign-in at a shared server",
  access: "user",
  data: v.object({ server: v.string(), removed: v.boolean() }),
  faults: ["server_not_found"],
  run: async ({ app, params: { server }, by, signal }) => ({
    server,
    removed: await removeCredential(app, server, by, signal),
  }),
});
