import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { serverRecord } from "#lib/core/verbs/servers/record.ts";
import { refreshServer } from "#lib/core/verbs/servers/refresh.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";
import { readStandings } from "#lib/modules/scan/standing.ts";

/** Lists a server's tools now; new and changed ones wait for approval. */
export default endpoint("POST /api/v1/servers/{name}/discover-tools", {
  summary: "List a server's tools again (same as refresh)",
  access: "admin",
  deferrable: true,
  data: ServerAction,
  faults: ["server_not_found", "server_disabled", "server_not_ready", "upstream_failed"],
  async run({ app, params, by, caller }) {
    const tools = await refreshServer(app, params.name, by);
    await readStandings(app, caller, [{ name: params.name }]);
    return serverActionAnswer("discover_tools", serverRecord(app, params.name, caller), `${tools} tools`);
  },
});
