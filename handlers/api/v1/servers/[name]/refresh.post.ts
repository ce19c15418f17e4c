import { endpoint } from "#lib/http/endpoint.ts";
import { readStandings } from "#lib/scanner/standing.ts";
import { done } from "#lib/servers/done.ts";
import { record } from "#lib/servers/record.ts";
import { refresh } from "#lib/servers/refresh.ts";
import { ServerAction } from "#lib/shape/server-record.ts";

/** Lists a server's tools now; new and changed ones wait for approval. */
export default endpoint("POST /api/v1/servers/{name}/refresh", {
  summary: "List a server's tools again",
  access: "admin",
  deferrable: true,
  data: ServerAction,
  faults: ["server_not_found", "server_disabled", "server_not_ready", "upstream_failed"],
  async run({ app, params, by, caller }) {
    const tools = await refresh(app, params.name, by);
    await readStandings(app, caller, [{ name: params.name }]);
    return done("refresh", record(app, params.name, caller), `${tools} tools`);
  },
});
