import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanJob } from "#lib/core/schema/scan.ts";
import { scanStatus } from "#lib/modules/scan/scan-status.ts";

/** The current scan of a server, or its last one. */
export default endpoint("GET /api/v1/servers/{name}/scan/status", {
  summary: "Show the progress of a server's scan",
  access: "read",
  data: ScanJob,
  faults: ["server_not_found", "no_such_record"],
  run: ({ app, params, caller }) => scanStatus(app, params.name, caller),
});
