import { endpoint } from "#lib/http/endpoint.ts";
import { enable } from "#lib/servers/admin.ts";
import { done } from "#lib/servers/done.ts";
import { ServerAction } from "#lib/shape/server-record.ts";

/** Starts connecting to a server (spec 000 §3). */
export default endpoint("POST /api/v1/servers/{name}/enable", {
  summary: "Enable a server",
  access: "admin",
  validates: true,
  data: ServerAction,
  faults: ["server_not_found", "management_disabled"],
  run: async ({ app, params, by }) => done("enable", await enable(app, params.name, by)),
});
