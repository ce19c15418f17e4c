import * as v from "valibot";
import { byMembers } from "#lib/base/page.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { onlyFields } from "#lib/http/fields.ts";
import { pageMembers } from "#lib/http/listing.ts";
import { serverFields, serverFilters, serverFits, serverPages } from "#lib/http/servers-query.ts";
import { readStandings } from "#lib/scanner/standing.ts";
import { listInTurns } from "#lib/servers/list.ts";
import { ServerRecord } from "#lib/shape/server-record.ts";

/** The list of `GET /api/v1/servers`, under the address of the multi-user edition. */
export default endpoint("GET /api/v1/admin/servers", {
  summary: "List the servers users share",
  access: "admin",
  query: v.object({ ...serverFilters, ...serverPages.query, fields: serverFields }),
  data: v.object({ servers: v.array(ServerRecord), ...pageMembers }),
  answers: { sparse: "servers" },
  async run({ app, caller, query, signal }) {
    await readStandings(app, caller);
    const all = await listInTurns(app, caller, signal);
    const { rows, ...page } = await serverPages.choose(query)(byMembers(all.filter(serverFits(query)), "name"));
    return { servers: rows.map((server) => onlyFields(server, query.fields)), ...page };
  },
});
