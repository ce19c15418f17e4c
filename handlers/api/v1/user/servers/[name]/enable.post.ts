import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { strictMembers } from "#lib/core/api/strict.ts";
import { UserServer } from "#lib/core/schema/user-entry.ts";
import { preferServer } from "#lib/modules/team/servers.ts";

/** A preference of one user, without an effect on other users. */
export default endpoint("POST /api/v1/user/servers/{name}/enable", {
  summary: "Enable or disable a server for the user",
  access: "user",
  body: strictMembers({ enabled: v.boolean() }),
  data: v.object({ server: UserServer }),
  faults: ["server_not_found"],
  run: async ({ app, params, body, caller }) => ({
    server: await preferServer(app, params.name, body.enabled, caller),
  }),
});
