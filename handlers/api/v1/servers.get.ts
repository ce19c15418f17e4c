import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { readStandings } from "#lib/scanner/standing.ts";
import { list } from "#lib/servers/list.ts";
import { totals } from "#lib/servers/totals.ts";
import { ServerRecord, WaitingCount } from "#lib/shape/server-record.ts";

/** Every server with definition, state and health; secrets masked (spec 000 §2.3, §2.9). */
export default endpoint("GET /api/v1/servers", {
  summary: "List the upstream servers",
  access: "read",
  data: v.object({
    servers: v.array(ServerRecord),
    stats: v.object({
      total_servers: v.number(),
      connected_servers: v.number(),
      quarantined_servers: v.number(),
      total_tools: v.number(),
      waiting: WaitingCount,
    }),
  }),
  async run({ app, caller }) {
    await readStandings(app, caller);
    const servers = list(app, caller);
    return { servers, stats: totals(servers) };
  },
});
