import { endpoint } from "#lib/core/api/endpoint.ts";
import { showRevision } from "#lib/core/api/revision.ts";
import { ServerRecord } from "#lib/core/schema/server-record.ts";
import { findServer } from "#lib/core/verbs/servers/find.ts";
import { serverRecord } from "#lib/core/verbs/servers/record.ts";
import { readStandings } from "#lib/modules/scan/standing.ts";

/** One server, as in the list; its ETag is the value for If-Match of a change (spec 000 §2.3). */
export default endpoint("GET /api/v1/servers/{name}", {
  summary: "Show one upstream server",
  access: "read",
  data: ServerRecord,
  faults: ["server_not_found"],
  async run({ app, params, caller, c }) {
    const server = findServer(app, params.name, caller);
    await readStandings(app, caller, [server]);
    const record = serverRecord(app, server.name, caller);
    showRevision(c, record.revision);
    return record;
  },
});
