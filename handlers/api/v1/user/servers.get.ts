import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { UserServer } from "#lib/core/schema/user-entry.ts";
import { userServers } from "#lib/modules/team/servers.ts";

/** The servers granted to the caller. Users have no servers of their own, because only the operator adds servers. */
export default endpoint("GET /api/v1/user/servers", {
  summary: "List the user's own servers",
  access: "user",
  data: v.object({ personal: v.array(UserServer), shared: v.array(UserServer) }),
  run({ app, caller }) {
    const personal: UserServer[] = [];
    return { personal, shared: userServers(app, caller) };
  },
});
