import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { enableServer } from "#lib/core/verbs/servers/enable.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/** Enables a server and connects to it (spec 000 §3). */
export default endpoint("POST /api/v1/servers/{name}/enable", {
  summary: "Enable a server",
  access: "admin",
  validates: true,
  data: ServerAction,
  faults: ["server_not_found", "management_disabled"],
  run: async ({ app, params, by }) => serverActionAnswer("enable", await enableServer(app, params.name, by)),
});
