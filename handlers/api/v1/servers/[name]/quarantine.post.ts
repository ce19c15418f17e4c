import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { quarantine } from "#lib/core/verbs/servers/admin.ts";
import { done } from "#lib/core/verbs/servers/done.ts";

/** Prevents every call of a server's tools (spec 000 §3). */
export default endpoint("POST /api/v1/servers/{name}/quarantine", {
  summary: "Put a server into quarantine",
  access: "admin",
  validates: true,
  data: ServerAction,
  faults: ["server_not_found", "management_disabled"],
  run: async ({ app, params, by }) => done("quarantine", await quarantine(app, params.name, by)),
});
