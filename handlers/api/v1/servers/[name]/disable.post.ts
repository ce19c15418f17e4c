import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { disableServer } from "#lib/core/verbs/servers/enable.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/** Disables a server and closes its connection (spec 000 §3). */
export default endpoint("POST /api/v1/servers/{name}/disable", {
  summary: "Disable a server",
  access: "admin",
  validates: true,
  data: ServerAction,
  faults: ["server_not_found", "management_disabled"],
  run: async ({ app, params, by }) => serverActionAnswer("disable", await disableServer(app, params.name, by)),
});
