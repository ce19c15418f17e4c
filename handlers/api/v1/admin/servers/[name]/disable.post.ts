import { endpoint } from "#lib/http/endpoint.ts";
import { disable } from "#lib/servers/admin.ts";
import { done } from "#lib/servers/done.ts";
import { ServerAction } from "#lib/shape/server-record.ts";

/** As `POST /api/v1/servers/{name}/disable`. */
export default endpoint("POST /api/v1/admin/servers/{name}/disable", {
  summary: "Disable a server for everybody",
  access: "admin",
  validates: true,
  data: ServerAction,
  faults: ["server_not_found", "management_disabled"],
  run: async ({ app, params, by }) => done("disable", await disable(app, params.name, by)),
});
