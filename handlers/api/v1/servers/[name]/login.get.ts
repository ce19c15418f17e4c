import { endpoint } from "#lib/core/api/endpoint.ts";
import { LoginStatus } from "#lib/core/schema/login.ts";
import { status } from "#lib/modules/oauth/login/status.ts";

/** The state of the sign-in at a server; clients poll it until the sign-in ends. */
export default endpoint("GET /api/v1/servers/{name}/login", {
  summary: "Show the sign-in state of a server",
  access: "admin",
  data: LoginStatus,
  faults: ["server_not_found"],
  run: ({ app, params, caller }) => status(app, params.name, caller),
});
