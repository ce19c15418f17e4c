import { endpoint } from "#lib/http/endpoint.ts";
import { status } from "#lib/login/status.ts";
import { LoginStatus } from "#lib/shape/login.ts";

/** How the sign-in at a server stands; who waits for one to be finished asks again. */
export default endpoint("GET /api/v1/servers/{name}/login", {
  summary: "Show how the sign-in at a server stands",
  access: "admin",
  data: LoginStatus,
  faults: ["server_not_found"],
  run: ({ app, params, caller }) => status(app, params.name, caller),
});
