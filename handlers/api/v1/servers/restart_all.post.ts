import { endpoint } from "#lib/core/api/endpoint.ts";
import { BulkAnswer } from "#lib/core/schema/server-record.ts";
import { reconnectAllServers } from "#lib/core/verbs/servers/bulk.ts";

/** Reconnects every enabled server, including connected ones; the response lists each (spec 000 §3). */
export default endpoint("POST /api/v1/servers/restart_all", {
  summary: "Restart every server",
  access: "admin",
  deferrable: true,
  data: BulkAnswer,
  run: ({ app, by, signal }) => reconnectAllServers(app, "all", by, signal),
});
