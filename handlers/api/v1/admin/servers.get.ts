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
import { ServerRecord } from "#lib/core/schema/server-record.ts";
import { listServersInSlices } from "#lib/core/verbs/servers/list.ts";
import { readListStandings } from "#lib/modules/scan/list-standings.ts";

/** The list of `GET /api/v1/servers`, under the path of the multi-user edition. */
export default endpoint("GET /api/v1/admin/servers", {
  summary: "List the servers that users share",
  access: "admin",
  query: v.object({ ...serverFilters, ...serverPages.query, fields: serverFieldsParameter }),
  data: v.object({ servers: v.array(ServerRecord), ...pageMembers }),
  answers: { sparse: "servers" },
  async run({ app, caller, query, signal }) {
    await readListStandings(app, caller);
    const all = await listServersInSlices(app, caller, signal);
    const { rows, ...page } = await serverPages.choose(query)(
      rowsByMembers(all.filter(matchesServerFilters(query)), "name"),
    );
    return { servers: rows.map((server) => pickFields(server, query.fields)), ...page };
  },
});
