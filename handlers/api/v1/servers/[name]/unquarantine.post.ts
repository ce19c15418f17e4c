import { endpoint } from "#lib/http/endpoint.ts";
import { unquarantine } from "#lib/servers/admin.ts";
import { done } from "#lib/servers/done.ts";
import { ServerAction } from "#lib/shape/server-record.ts";

/** Allows calls again; pending tools become approved, changed ones still ask (spec 000 §3). */
export default endpoint("POST /api/v1/servers/{name}/unquarantine", {
  summary: "Release a server from quarantine",
  access: "admin",
  data: ServerAction,
  faults: ["server_not_found", "management_disabled"],
  run: async ({ app, params, by }) => done("unquarantine", await unquarantine(app, params.name, by)),
});
