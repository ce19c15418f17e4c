import { endpoint } from "#lib/http/endpoint.ts";
import { setAllEnabled } from "#lib/servers/bulk.ts";
import { BulkAnswer } from "#lib/shape/server-record.ts";

/** One write for all of them; each is reported (spec 000 §3). */
export default endpoint("POST /api/v1/servers/enable_all", {
  summary: "Enable every server",
  access: "admin",
  validates: true,
  data: BulkAnswer,
  faults: ["management_disabled"],
  run: ({ app, by }) => setAllEnabled(app, true, by),
});
