import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { quarantineServer } from "#lib/core/verbs/servers/enable.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/** Quarantines a server, which blocks all calls of its tools (spec 000 §3). */
export default endpoint("POST /api/v1/servers/{name}/quarantine", {
  summary: "Put a server into quarantine",
  access: "admin",
  validates: true,
  data: ServerAction,
  faults: ["server_not_found", "management_disabled"],
  run: async ({ app, params, by }) => serverActionAnswer("quarantine", await quarantineServer(app, params.name, by)),
});
