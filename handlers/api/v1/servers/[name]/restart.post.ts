import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { restartServer } from "#lib/core/verbs/servers/restart.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/** Closes a server's connection and opens a new one, which may complete after the response. */
export default endpoint("POST /api/v1/servers/{name}/restart", {
  summary: "Restart a server",
  access: "admin",
  deferrable: true,
  data: ServerAction,
  faults: ["server_not_found", "server_disabled"],
  async run({ app, params, by, signal }) {
    const { record, failure } = await restartServer(app, params.name, by, signal);
    return serverActionAnswer("restart", record, failure ?? "connected");
  },
});
