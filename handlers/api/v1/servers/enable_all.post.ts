import { endpoint } from "#lib/core/api/endpoint.ts";
import { BulkAnswer } from "#lib/core/schema/server-record.ts";
import { setAllServersEnabled } from "#lib/core/verbs/servers/bulk.ts";

/** Enables all servers in one write; the response lists each (spec 000 §3). */
export default endpoint("POST /api/v1/servers/enable_all", {
  summary: "Enable every server",
  access: "admin",
  validates: true,
  data: BulkAnswer,
  faults: ["management_disabled"],
  run: ({ app, by }) => setAllServersEnabled(app, true, by),
});
