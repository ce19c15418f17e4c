import { endpoint } from "#lib/http/endpoint.ts";
import { reportOf } from "#lib/scanner/read.ts";
import { ScanReport } from "#lib/shape/scan.ts";

/** What one scan found. */
export default endpoint("GET /api/v1/security/scans/{id}/report", {
  summary: "What one scan found",
  access: "admin",
  data: ScanReport,
  faults: ["no_such_record"],
  run: ({ app, params, caller }) => reportOf(app, params.id, caller),
});
