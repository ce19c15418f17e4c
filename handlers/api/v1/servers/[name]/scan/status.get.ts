import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanJob } from "#lib/core/schema/scan.ts";
import { status } from "#lib/modules/scan/read.ts";

/** The scan of a server that is under way, else the last one. */
export default endpoint("GET /api/v1/servers/{name}/scan/status", {
  summary: "Show the progress of a server's scan",
  access: "read",
  data: ScanJob,
  faults: ["server_not_found", "no_such_record"],
  run: ({ app, params, caller }) => status(app, params.name, caller),
});
