import { endpoint } from "#lib/core/api/endpoint.ts";
import { BulkAnswer } from "#lib/core/schema/server-record.ts";
import { reconnectAllServers } from "#lib/core/verbs/servers/bulk.ts";

/** Connects every enabled server without a connection; the response lists each (spec 000 §3). */
export default endpoint("POST /api/v1/servers/reconnect", {
  summary: "Reconnect every server",
  access: "admin",
  deferrable: true,
  data: BulkAnswer,
  run: ({ app, by, signal }) => reconnectAllServers(app, "broken", by, signal),
});
