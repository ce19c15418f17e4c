import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { readStandings } from "#lib/scanner/standing.ts";
import { list } from "#lib/servers/list.ts";
import { ServerRecord } from "#lib/shape/server-record.ts";

/** The list of `GET /api/v1/servers`, under the address of the multi-user edition. */
export default endpoint("GET /api/v1/admin/servers", {
  summary: "List the servers users share",
  access: "admin",
  data: v.object({ servers: v.array(ServerRecord) }),
  async run({ app, caller }) {
    await readStandings(app, caller);
    return { servers: list(app, caller) };
  },
});
