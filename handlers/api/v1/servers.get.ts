import * as v from "valibot";
import { byMembers } from "#lib/base/page.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { onlyFields } from "#lib/http/fields.ts";
import { pageMembers } from "#lib/http/listing.ts";
import { serverFields, serverFilters, serverFits, serverPages } from "#lib/http/servers-query.ts";
import { readStandings } from "#lib/scanner/standing.ts";
import { listInTurns } from "#lib/servers/list.ts";
import { totals } from "#lib/servers/totals.ts";
import { ServerRecord, WaitingCount } from "#lib/shape/server-record.ts";

/** Every server with definition, state and health; secrets masked (spec 000 §2.3, §2.9). */
export default endpoint("GET /api/v1/servers", {
  summary: "List the upstream servers",
  access: "read",
  query: v.object({ ...serverFilters, ...serverPages.query, fields: serverFields }),
  data: v.object({
    servers: v.array(ServerRecord),
    ...pageMembers,
    stats: v.pipe(
      v.object({
        total_servers: v.number(),
        connected_servers: v.number(),
        quarantined_servers: v.number(),
        total_tools: v.number(),
        waiting: WaitingCount,
      }),
      v.description("of all servers, whichever were asked for"),
    ),
  }),
  answers: { sparse: "servers" },
  async run({ app, caller, query, signal }) {
    await readStandings(app, caller);
    const all = await listInTurns(app, caller, signal);
    const { rows, ...page } = await serverPages.choose(query)(byMembers(all.filter(serverFits(query)), "name"));
    return { servers: rows.map((server) => onlyFields(server, query.fields)), ...page, stats: totals(all) };
  },
});
