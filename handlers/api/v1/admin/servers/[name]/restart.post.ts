import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { done } from "#lib/core/verbs/servers/done.ts";
import { restart } from "#lib/core/verbs/servers/restart.ts";

/** As `POST /api/v1/servers/{name}/restart`. */
export default endpoint("POST /api/v1/admin/servers/{name}/restart", {
  summary: "Restart a server for all users",
  access: "admin",
  deferrable: true,
  data: ServerAction,
  faults: ["server_not_found", "server_disabled"],
  async run({ app, params, by, signal }) {
    const { record, failure } = await restart(app, params.name, by, signal);
    return done("restart", record, failure ?? "connected");
  },
});
