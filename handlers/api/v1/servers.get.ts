import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { pickFields } from "#lib/core/api/fields.ts";
import {
  matchesServerFilters,
  serverFieldsParameter,
  serverFilters,
  serverPages,
} from "#lib/core/api/server-filters.ts";
import { pageMembers, rowsByMembers } from "#lib/core/schema/list-page.ts";
import { ServerRecord, WaitingDecisions } from "#lib/core/schema/server-record.ts";
import { listServersInSlices } from "#lib/core/verbs/servers/list.ts";
import { serverTotals } from "#lib/core/verbs/servers/totals.ts";
import { readListStandings } from "#lib/modules/scan/list-standings.ts";

/** All servers with definition, state and health; secrets are masked (spec 000 §2.3, §2.9). */
export default endpoint("GET /api/v1/servers", {
  summary: "List the upstream servers",
  access: "read",
  query: v.object({ ...serverFilters, ...serverPages.query, fields: serverFieldsParameter }),
  data: v.object({
    servers: v.array(ServerRecord),
    ...pageMembers,
    stats: v.pipe(
      v.object({
        total_servers: v.number(),
        connected_servers: v.number(),
        quarantined_servers: v.number(),
        total_tools: v.number(),
        waiting: WaitingDecisions,
      }),
      v.description("counts over all servers, regardless of the filters"),
    ),
  }),
  answers: { sparse: "servers" },
  async run({ app, caller, query, signal }) {
    await readListStandings(app, caller);
    const all = await listServersInSlices(app, caller, signal);
    const { rows, ...page } = await serverPages.choose(query)(
      rowsByMembers(all.filter(matchesServerFilters(query)), "name"),
    );
    return { servers: rows.map((server) => pickFields(server, query.fields)), ...page, stats: serverTotals(all) };
  },
});
