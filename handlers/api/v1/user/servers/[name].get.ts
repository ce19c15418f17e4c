import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { UserServer } from "#lib/core/schema/user-entry.ts";
import { findUserServer } from "#lib/modules/team/servers.ts";

export default endpoint("GET /api/v1/user/servers/{name}", {
  summary: "Show one of the user's own servers",
  access: "user",
  data: v.object({ server: UserServer }),
  faults: ["server_not_found"],
  run: ({ app, params, caller }) => ({ server: findUserServer(app, params.name, caller) }),
});
